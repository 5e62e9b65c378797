import { expect, it } from 'vitest';
import type { State } from '../../src/domain/submission.js';
import type { Scope } from '../../src/ledger/books.js';
import { causeAdvice } from '../../src/report/cause-advice.js';
import { causeGroups } from '../../src/report/cause-groups.js';
import type { Cause } from '../../src/report/report.js';

const cause = (code: string, state: State | 'invalid', given: Partial<Cause> = {}): Cause => ({
  code,
  state,
  reason: `because of ${code}`,
  remedy: 'mend it',
  count: 1,
  example: 'march.csv:7',
  ...given,
});

const ALL: Scope = {};

it.each<[string, Cause, Scope, readonly string[]]>([
  [
    'a refusal',
    cause('bad-request', 'rejected'),
    ALL,
    ['registrar rerun --state rejected --reason bad-request'],
  ],
  [
    'a run',
    cause('HTTP 503', 'failed'),
    { runId: 4 },
    ["registrar rerun --state failed --reason 'HTTP 503' --run 4"],
  ],
  [
    'a file and a time',
    cause('canary', 'held'),
    { fileName: "it's $(x).csv", since: '2026-03-01T00:00:00.000Z' },
    [
      "registrar rerun --state held --reason canary --file 'it'\\''s $(x).csv' --since 2026-03-01T00:00:00.000Z",
    ],
  ],
  [
    'an unknown learner',
    cause('learner-unknown', 'rejected'),
    ALL,
    ['registrar map', 'registrar rerun --state rejected --reason learner-unknown'],
  ],
  ['a setting', cause('date-order-unknown', 'invalid'), ALL, ['registrar restage 3', 'registrar restage 12']],
  ['a row to correct', cause('email-invalid', 'invalid'), ALL, []],
])('the commands for %s can be pasted into a shell', (_, one, scope, commands) => {
  const [group] = causeGroups([one]);
  expect(group && causeAdvice(group, scope, [3, 12]).commands).toEqual(commands);
});

it('one cause in two states is one to people, and one command does for both', () => {
  const [group, ...others] = causeGroups([
    cause('learner-unknown', 'rejected', { count: 3, example: 'a.csv:1' }),
    cause('email-invalid', 'invalid', { count: 4 }),
    cause('learner-unknown', 'held', { count: 2, example: 'b.csv:1' }),
  ]);
  expect(others.map(({ code }) => code)).toEqual(['email-invalid']);
  expect(group).toMatchObject({
    code: 'learner-unknown',
    count: 5,
    example: 'a.csv:1',
    states: [
      { state: 'rejected', count: 3 },
      { state: 'held', count: 2 },
    ],
  });
  expect(group && causeAdvice(group, ALL, [3]).commands[1]).toBe(
    'registrar rerun --state rejected,held --reason learner-unknown',
  );
});

it('a cause whose words differ by its state stays two', () => {
  const words = [cause('HTTP 503', 'failed'), cause('HTTP 503', 'in-doubt', { reason: 'no answer came' })];
  expect(causeGroups(words)).toHaveLength(2);
});
