import { expect, it } from 'vitest';
import { noticeWords } from '../../../src/report/words/notice-words.js';

it('another quota is reported with the line to write', () => {
  const { message, remedy } = noticeWords('main', {
    code: 'quota-differs',
    platform: { requests: 60, per: '1m' },
    configured: { requests: 70, perMs: 90_000 },
  });
  expect(message).toMatch(/60 requests per 1m .* environment main; registrar.yaml says 70 per 90s$/);
  expect(remedy).toMatch(/environments\.main: quota: \{ requests: 60, per: 1m \}$/);
});
