import { expect, it } from 'vitest';
import { noticeWords } from '../../../src/report/words/notice-words.js';

it('a quota that is written far too large is not blamed on another program', () => {
  const found = noticeWords('main', {
    code: 'other-consumer',
    counted: 6_999_933,
    ours: 3,
    requests: 7_000_000,
  });
  expect(found).toEqual({
    message:
      "the platform's limit for the client id of environment main seems to be 70 requests; registrar.yaml says 7000000",
    remedy:
      'Compare it with the contract, and write in registrar.yaml, environments.main.quota: requests: 70',
  });
});

it('requests that Registrar has not sent are another program’s, or the quota is smaller', () => {
  const notice = { code: 'other-consumer', counted: 31, ours: 21, requests: 70 } as const;
  const { message, remedy } = noticeWords('main', notice);
  expect(message).toContain('counted 31 of 70 requests');
  expect(remedy).toMatch(/Another program uses this client id.*or the quota is smaller/);
});
