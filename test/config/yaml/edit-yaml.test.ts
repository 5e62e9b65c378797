import { expect, it } from 'vitest';
import { parseDocument, Scalar } from 'yaml';
import { editYaml, type YamlEdit } from '../../../src/config/yaml/edit-yaml.js';
import { entryNode } from '../../../src/config/yaml/yaml-writer.js';

/** Written as `init` writes files. */
const FILE = `# What Registrar imports.
environments:
  main: {baseUrl: https://platform.example, quota: {requests: 70, per: 1m}}
sources:
  # The academy's export.
  - name: academy # reads inbox/academy/
    operation: submit-completion
    timeZone: Europe/Berlin # confirm: of this machine
    columns:
      user-id: "Learner" # by its header
      content-id: Course

    # What words mean.
    status:
      completed: [Bestanden]
  - name: other
    encoding:
    match: |
      *.csv

schedule:
  - cron: "0 7 * * 1-5"
    do: [report]

# The end.
`;

const at = (value: unknown, ...path: (string | number)[]): YamlEdit => ({ path, value });

it.each<[string, YamlEdit[], [string, string][]]>([
  [
    'a value, which no longer needs confirmation',
    [at('Europe/Paris', 'sources', 0, 'timeZone')],
    [['Europe/Berlin # confirm: of', 'Europe/Paris # of']],
  ],
  [
    'a word in a list on one line',
    [at('Teilgenommen', 'sources', 0, 'status', 'completed', 1)],
    [['[Bestanden]', '[Bestanden, Teilgenommen]']],
  ],
  [
    'a key that a map lacks',
    [at('Finished on', 'sources', 0, 'columns', 'completed-at')],
    [['      content-id: Course\n', '      content-id: Course\n      completed-at: Finished on\n']],
  ],
  [
    'a key of a map on one line',
    [at(60, 'environments', 'main', 'quota', 'requests')],
    [['{requests: 70, per: 1m}', '{requests: 60, per: 1m}']],
  ],
  [
    'a key below one that is missing',
    [at(['Fertig'], 'sources', 1, 'status', 'completed')],
    [['      *.csv\n', '      *.csv\n    status:\n      completed:\n        - Fertig\n']],
  ],
  ['a key without a value', [at('utf-8', 'sources', 1, 'encoding')], [['encoding:\n', 'encoding: utf-8\n']]],
  [
    'a text that would read as another kind of value, or as a reference',
    [at('yes', 'sources', 1, 'encoding'), at('a: ${b} #c', 'sources', 1, 'sheet')],
    [
      ['encoding:\n', 'encoding: yes\n'],
      ['      *.csv\n', '      *.csv\n    sheet: "a: $${b} #c"\n'],
    ],
  ],
  [
    'a key that is removed',
    [at(undefined, 'sources', 0, 'columns', 'user-id')],
    [['      user-id: "Learner" # by its header\n', '']],
  ],
  [
    'the last key of a map, which goes with it',
    [at(undefined, 'schedule', 0)],
    [['\nschedule:\n  - cron: "0 7 * * 1-5"\n    do: [report]\n', '']],
  ],
  [
    'an entry that is removed',
    [at(undefined, 'sources', 1)],
    [['  - name: other\n    encoding:\n    match: |\n      *.csv\n', '']],
  ],
  [
    'an entry with comments',
    [at(entryNode(['- name: campus # new', '  #match: "*.csv"', '  environment: main']), 'sources', 2)],
    [['      *.csv\n', '      *.csv\n  - name: campus # new\n    #match: "*.csv"\n    environment: main\n']],
  ],
  [
    'a reference to a variable',
    [at({ name: 'ops', webhook: { url: new Scalar('${HOOK}') } }, 'alerts', 'channels', 0)],
    [
      [
        '\n# The end.\n',
        'alerts:\n  channels:\n    - name: ops\n      webhook:\n        url: ${HOOK}\n\n# The end.\n',
      ],
    ],
  ],
])('changes %s, and leaves all else', (_what, edits, replacements) => {
  let expected = FILE;
  for (const [old, now] of replacements) {
    expect(expected.split(old)).toHaveLength(2);
    expected = expected.replace(old, () => now);
  }
  expect(editYaml(FILE, edits)).toBe(expected);
});

it('an edit keeps the line ends of Windows', () => {
  const text = 'a: 1 # one\r\nb:\r\n  c: 2\r\n';
  expect(editYaml(text, [at(3, 'b', 'd')])).toBe('a: 1 # one\r\nb:\r\n  c: 2\r\n  d: 3\r\n');
});

it.each([
  ['an alias', 'a: &x {b: 1}\nc: *x\n', at(2, 'c', 'b')],
  ['a file that isn’t YAML', 'a: [\n', at(2, 'a')],
])('leaves %s to a person', (_what, text, edit) => {
  expect(editYaml(text, [edit])).toBeNull();
});

it('an edit leaves lines with other spacing alone', () => {
  const text =
    'quota: { requests: 70, per: 1m }\nsources:\n- { name: a, match: [ "*.csv" ] }\n- { name: b }   # new\nnote: "[ as is ]"\n';
  expect(editYaml(text, [at(60, 'quota', 'requests')])).toBe(
    text.replace('{ requests: 70, per: 1m }', '{requests: 60, per: 1m}'),
  );
  expect(editYaml('a: [ 1 ]\nb: "[ x ]"\n', [at('[x]', 'b')])).toBe('a: [1]\nb: "[x]"\n');
});

it('a file in another layout keeps its comments and what it says', () => {
  const text = 'words:\n- Wohl   # from HR\n# checked\n- Gut\nline: { a: "#1", # why\n  b: c#d } # nightly\n';
  const edited = editYaml(text, [at('Neu', 'words', 2), at('#2', 'line', 'a')]) ?? '';
  expect(parseDocument(edited).toJS()).toEqual({
    words: ['Wohl', 'Gut', 'Neu'],
    line: { a: '#2', b: 'c#d' },
  });
  for (const comment of ['# from HR', '# checked', '# why', '# nightly']) expect(edited).toContain(comment);
});
