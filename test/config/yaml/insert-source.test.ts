import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { insertSource } from '../../../src/config/yaml/insert-source.js';

const NEW = [
  '- name: campus  # new',
  '  operation: submit-completion',
  '  #match: "*.csv"',
  '  environment: main',
];

const ENVIRONMENTS = ['environments:', '  main: { baseUrl: https://platform.example }'];

/** Files before and after, line by line; `NEW` marks where the entry belongs. */
test.each<[string, readonly string[]]>([
  ['at the end of the file', [...ENVIRONMENTS, 'sources:', '  - name: a', '    timeZone: UTC', 'NEW']],
  [
    'before what follows, with its comments',
    [
      'sources:',
      '  - name: a',
      '    timeZone: UTC',
      'NEW',
      '',
      '# Runs by the clock.',
      'schedule:',
      '  - { do: [run] }',
    ],
  ],
  [
    'behind comments that belong to the last entry',
    [
      'sources:',
      '  # first',
      '  - name: a # one',
      '    columns:',
      '      user-id: "E#1" # mail',
      '      # - "Extra"',
      '    # end of a',
      'NEW',
      '#schedule:',
    ],
  ],
  [
    'behind an entry that ends in a list',
    ['sources:', '  - datePatterns:', '      - yyyy', '    columns: { a: b }', 'NEW'],
  ],
  [
    'behind a text of several lines',
    ['sources:', '  - name: >', '      folded', '      text', 'NEW', 'reports:', '  folder: x'],
  ],
  ['behind a key without a value', ['sources:', '  - name: a', '    columns:', 'NEW']],
])('an entry is put %s, and nothing else changes', (_, lines) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const before = `${lines.filter((line) => line !== 'NEW').join(lineEnd)}${lineEnd}`;
    const after = `${lines.flatMap((line) => (line === 'NEW' ? NEW.map((own) => `  ${own}`) : [line])).join(lineEnd)}${lineEnd}`;
    expect(insertSource(before, NEW)).toBe(after);
    expect((parse(after) as { sources: unknown[] }).sources.at(-1)).toMatchObject({ name: 'campus' });
  }
});

test('the entry is indented as the others are', () => {
  expect(insertSource('sources:\n- name: a', NEW)).toBe(
    'sources:\n- name: a\n- name: campus  # new\n  operation: submit-completion\n  #match: "*.csv"\n  environment: main\n',
  );
  expect(insertSource('sources:\n      - name: a\n', NEW)).toContain(
    '\n      - name: campus  # new\n        operation:',
  );
});

test.each(['sources: [{ name: a }]', '{"sources": [{"name": "a"}]}', 'sources:', 'environments: {}'])(
  '%s is no list of lines',
  (text) => {
    expect(insertSource(text, NEW)).toBeNull();
  },
);
