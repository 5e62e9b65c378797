import { describe, expect, it } from 'vitest';
import { dataFile } from '../../../src/config/values/data-file.js';
import { CAUSES, type Cause, HELD_CAUSES } from '../../../src/domain/cause.js';
import { ISSUE_CODES, type IssueCode } from '../../../src/domain/issue.js';
import { ATTENTION_STATES, type State } from '../../../src/domain/submission.js';
import { causeWords } from '../../../src/report/words/causes.js';

const isDeclared = ({ reason, remedy }: ReturnType<typeof causeWords>) => {
  expect(reason).toMatch(/^[a-z].*[^.]$/);
  expect(remedy).toMatch(/^[A-Z].*\.$/);
};

it.each(Object.keys(ISSUE_CODES) as IssueCode[])('%s of a row has a reason and a remedy', (code) => {
  const words = causeWords({ state: 'invalid', cause: code, code });
  isDeclared(words);
  expect(words.reason).toBe(ISSUE_CODES[code]);
});

it.each(HELD_CAUSES)('%s, which holds a submission, has a reason and a remedy of its own', (code) => {
  const words = causeWords({ state: 'held', cause: code, code });
  isDeclared(words);
  expect(words.reason).not.toContain(code);
});

describe('a code of the platform is explained by where it left the submission', () => {
  it.each<[State, Cause, RegExp, RegExp]>([
    ['rejected', 'platform-refused', /refused the record \(odd-code\)/, /correct the row/],
    ['failed', 'platform-failed', /failed on every try \(odd-code\)/, /Rerun it/],
    [
      'in-doubt',
      'answer-unclear',
      /no answer confirms that it arrived \(odd-code\)/,
      /Look the completion up/,
    ],
  ])('%s', (state, cause, reason, remedy) => {
    const words = causeWords({ state, cause, code: 'odd-code' });
    isDeclared(words);
    expect(words.reason).toMatch(reason);
    expect(words.remedy).toMatch(remedy);
  });
});

it('an unknown learner is never described as gone', () => {
  const { reason, remedy } = causeWords({
    state: 'rejected',
    cause: 'learner-unknown',
    code: 'learner-unknown',
  });
  expect(reason).toBe('the platform does not know the learner');
  for (const cause of ['typo', 'not provisioned', 'alias', 'anonymous']) expect(remedy).toContain(cause);
});

it("a platform's code with the name of a cause has the words of a platform's code", () => {
  const { reason } = causeWords({ state: 'rejected', cause: 'platform-refused', code: 'canary' });
  expect(reason).toBe('the platform refused the record (canary)');
});

describe('the catalogue of causes', () => {
  type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const catalogue = dataFile<{ readonly states: Entries; readonly causes: Entries }>('texts/causes')();

  it('has an entry for each state that needs attention, with who acts', () => {
    expect(Object.keys(catalogue.states).sort()).toEqual(['invalid', ...ATTENTION_STATES].sort());
    for (const { actor } of Object.values(catalogue.states)) expect(ACTORS).toContain(actor);
  });

  it('names causes and issue codes alone, and has no unused word for any', () => {
    const known: readonly string[] = [...CAUSES, ...Object.keys(ISSUE_CODES)];
    expect(Object.keys(catalogue.causes).filter((name) => !known.includes(name))).toEqual([]);
    const entries = [...Object.values(catalogue.states), ...Object.values(catalogue.causes)];
    const members = new Set(entries.flatMap((entry) => Object.keys(entry)));
    expect([...members].filter((member) => !MEMBERS.includes(member))).toEqual([]);
  });
});

const ACTORS = ['sender', 'learners', 'platform', 'operator'];
const MEMBERS = [
  ...['reason', 'remedy', 'actor', 'commands', 'choices', 'setting', 'wrong', 'wrongValue', 'correct'],
  ...['happened', 'question', 'short'],
];
