import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/config/yaml/yaml-document.js';

const SOUND = `environments:
  main:
    baseUrl: https://platform.example
    authUrl: https://platform.example  # "the" host
    quota: { requests: 70, per: 1m }
# a note
sources:
  - name: academy
    columns:
      user-id: "Mail: work"
      content-id: Course
    match: '*.csv'
schedule:
- cron: "*/15 * * * *"
  do:
    - run
    - report
`;

/** The one mistake in the text with a line indented by so many spaces. */
function mistakeWith(line: number, spaces: number): string | undefined {
  const lines = SOUND.split('\n');
  lines[line - 1] = ' '.repeat(spaces) + lines[line - 1]?.trimStart();
  const { syntax } = readYaml(lines.join('\n'));
  expect(syntax.length).toBeLessThan(2);
  return syntax[0] && `${syntax[0].line}: ${syntax[0].text}`;
}

describe('wrong indentation of YAML is reported as such, once, in the line where it shows', () => {
  it.each([
    [1, 1, 7],
    [3, 6, 4],
    [4, 3, 4],
    [4, 5, 3],
    [5, 3, 5],
    // The comment above belongs to what follows.
    [7, 1, 6],
    [8, 3, 9],
    [9, 3, 9],
    [9, 2, 9],
    [11, 7, 11],
    [12, 5, 12],
    [15, 1, 15],
  ])('line %i with %i spaces', (line, spaces, shows) => {
    expect(mistakeWith(line, spaces)).toMatch(new RegExp(`^${shows}: .*the indentation`));
  });
});

it('every indentation of every line is sound, or reported as a mistake', () => {
  for (const line of SOUND.split('\n').keys()) {
    for (const spaces of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
      if (line > 0) expect(mistakeWith(line, spaces) ?? 'the indentation').toContain('the indentation');
    }
  }
});

it.each([
  ['a bracket that is not closed', '    quota: { requests: 70, per: 1m', /a bracket/],
  ['a quote that is not closed', '    quota: "70', /quote/],
  ['a second colon', '    quota: a: b', /second ": "/],
  ['a tab', '\tquota: 1', /tab/],
])('%s keeps its own message', (_, line, words) => {
  const lines = SOUND.split('\n');
  lines[4] = line;
  expect(
    readYaml(lines.join('\n'))
      .syntax.map(({ text }) => text)
      .join('\n'),
  ).toMatch(words);
});
