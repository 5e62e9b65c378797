import { describe, expect, it } from 'vitest';
import { ISSUE_CODES } from '../../src/domain/issue.js';
import { HELD_REASONS } from '../../src/domain/submission.js';
import { causeWords } from '../../src/report/cause-words.js';

const isSaid = ({ reason, remedy }: ReturnType<typeof causeWords>) => {
  expect(reason).toMatch(/^[a-z].*[^.]$/);
  expect(remedy).toMatch(/^[A-Z].*\.$/);
};

it.each(Object.keys(ISSUE_CODES))('%s of a row has a reason and a remedy', (code) => {
  const words = causeWords(code, 'row', 'invalid');
  isSaid(words);
  expect(words.reason).toBe(ISSUE_CODES[code as keyof typeof ISSUE_CODES]);
});

it.each(HELD_REASONS)('%s, which holds a submission, has a reason and a remedy of its own', (code) => {
  const words = causeWords(code, 'submission', 'held');
  isSaid(words);
  expect(words.reason).not.toContain(code);
});

describe('what nobody foresaw is explained by where it left the submission', () => {
  it.each([
    ['rejected', /refused the record \(odd-code\)/, /correct the row/],
    ['failed', /failed on every try \(odd-code\)/, /Rerun it/],
    ['in-doubt', /no answer says that it arrived \(odd-code\)/, /Look the completion up/],
  ])('%s', (state, reason, remedy) => {
    const words = causeWords('odd-code', 'submission', state);
    isSaid(words);
    expect(words.reason).toMatch(reason);
    expect(words.remedy).toMatch(remedy);
  });
});

it('an unknown learner is never said to be gone', () => {
  const { reason, remedy } = causeWords('learner-unknown', 'submission', 'rejected');
  expect(reason).toBe('the platform does not know the learner');
  for (const cause of ['typo', 'not provisioned', 'alias', 'anonymous']) expect(remedy).toContain(cause);
});
