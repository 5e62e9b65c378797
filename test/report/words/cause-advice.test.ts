import { expect, it } from 'vitest';
import type { ReportedCause } from '../../../src/documents/report.js';
import type { State } from '../../../src/domain/submission.js';
import type { ReportSelection } from '../../../src/ledger/drops/report-selection.js';
import { commandLine } from '../../../src/report/text/command-line.js';
import { causeAdvice, causeGroups } from '../../../src/report/words/cause-advice.js';

const cause = (
  name: ReportedCause['cause'],
  state: State | 'invalid',
  overrides: Partial<ReportedCause> = {},
): ReportedCause => ({
  cause: name,
  code: name,
  state,
  reason: `because of ${name}`,
  remedy: 'mend it',
  count: 1,
  example: 'march.csv:7',
  drops: [
    { drop: 3, file: 'march.csv', count: 1 },
    { drop: 12, file: 'april.csv', count: 2 },
  ],
  ...overrides,
});

const ALL: ReportSelection = {};

it.each<[string, ReportedCause, ReportSelection, readonly string[]]>([
  ['a refusal', cause('platform-refused', 'rejected'), ALL, []],
  [
    'a run',
    cause('platform-failed', 'failed', { code: 'HTTP 503' }),
    { runId: 4 },
    ["registrar rerun --state failed --reason 'HTTP 503' --run 4"],
  ],
  [
    'a file and a time',
    cause('amended', 'held'),
    { fileName: "it's $(x).csv", since: '2026-03-01T00:00:00.000Z' },
    [
      "registrar rerun --state held --reason amended --file 'it'\\''s $(x).csv' --since 2026-03-01T00:00:00.000Z",
    ],
  ],
  ['an unknown learner', cause('learner-unknown', 'rejected'), ALL, ['registrar map']],
  ['a setting', cause('date-order-unknown', 'invalid'), ALL, ['registrar restage 3', 'registrar restage 12']],
  ['a row to correct', cause('email-invalid', 'invalid'), ALL, []],
])('the commands for %s can be pasted into a shell', (_, one, selection, commands) => {
  const [group] = causeGroups([one]);
  const remedies = group === undefined ? [] : causeAdvice(group, selection).remedies;
  expect(remedies.map((remedy) => commandLine(remedy))).toEqual(commands);
});

it.each<[ReportedCause['cause'], State | 'invalid', readonly string[]]>([
  ['out-of-order', 'held', ['To take them off this list', 'If the platform should take the older date']],
  ['restored', 'held', ['If it is not there', 'If it is there']],
  ['canary', 'held', ['If the refusals are right']],
  ['owner-died', 'in-doubt', ['If it is not there', 'If it is there']],
  ['platform-refused', 'rejected', ['If the platform was wrong']],
  ['timestamp-ambiguous', 'invalid', ['After changing registrar.yaml', 'After changing registrar.yaml']],
])('%s (%s) has no command to be given unseen: each says when', (code, state, whens) => {
  const [group] = causeGroups([cause(code, state)]);
  const { remedies, choices } = causeAdvice(group as NonNullable<typeof group>, ALL);
  expect(remedies).toEqual([]);
  expect(choices.map(({ when }) => when)).toEqual(whens);
});

it('the drops of a cause in two states are added up', () => {
  const [group] = causeGroups([
    cause('learner-unknown', 'rejected', { drops: [{ drop: 4, file: 'c.csv', count: 2 }] }),
    cause('learner-unknown', 'held', {
      drops: [
        { drop: 1, file: 'a.csv', count: 5 },
        { drop: 4, file: 'c.csv', count: 1 },
      ],
    }),
  ]);
  expect(group?.drops).toEqual([
    { drop: 1, file: 'a.csv', count: 5 },
    { drop: 4, file: 'c.csv', count: 3 },
  ]);
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
  expect(group && causeAdvice(group, ALL).choices).toEqual([
    {
      when: 'Once the platform knows the learner',
      remedy: {
        action: 'rerun',
        selection: { states: ['rejected', 'held'], cause: 'learner-unknown' },
      },
    },
  ]);
});

it('a cause whose words differ by its state stays two', () => {
  const words = [
    cause('platform-failed', 'failed'),
    cause('platform-failed', 'in-doubt', { reason: 'no answer came' }),
  ];
  expect(causeGroups(words)).toHaveLength(2);
});
