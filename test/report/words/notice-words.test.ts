import { expect, it } from 'vitest';
import { noticeWords } from '../../../src/report/words/notice-words.js';

it('requests that Registrar has not sent are another program’s, or the quota is smaller', () => {
  const notice = { code: 'other-consumer', counted: 31, ours: 21, requests: 70 } as const;
  const { message, remedy } = noticeWords('main', notice);
  expect(message).toContain('counted 31 of 70 requests');
  expect(remedy).toMatch(/Another program uses this client id.*or the quota is smaller/);
});
