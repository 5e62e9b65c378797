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

describe('wrong indentation of YAML is reported as such, with the line it differs from, and not as a missing bracket', () => {
  it.each([
    [1, 1, '7: the indentation differs from line 1: 0 spaces before the text here, 1 there'],
    [3, 6, '4: the indentation differs from line 3: 4 spaces before the text here, 6 there'],
    [4, 3, '4: the indentation differs from line 3: 3 spaces before the text here, 4 there'],
    [4, 5, '4: the indentation differs from line 3: 5 spaces before the text here, 4 there'],
    [5, 3, '5: the indentation differs from line 4: 3 spaces before the text here, 4 there'],
    [7, 1, '7: the indentation differs from line 2: 1 space before the text here, 2 there'],
    [8, 3, '9: the indentation differs from line 8: 4 spaces before the text here, 5 there'],
    [9, 3, '9: the indentation differs from line 8: 3 spaces before the text here, 4 there'],
    [9, 2, '9: the indentation is that of the dash in line 8'],
    [11, 7, '11: the indentation differs from line 10: 7 spaces before the text here, 6 there'],
    [12, 5, '12: the indentation differs from line 11: 5 spaces before the text here, 6 there'],
    [15, 1, '15: the indentation differs from line 14: 1 space before the text here, 2 there'],
  ])('line %i with %i spaces', (line, spaces, text) => {
    expect(mistakeWith(line, spaces)).toContain(text);
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
])('%s is still told as what it is', (_, line, words) => {
  const lines = SOUND.split('\n');
  lines[4] = line;
  expect(
    readYaml(lines.join('\n'))
      .syntax.map(({ text }) => text)
      .join('\n'),
  ).toMatch(words);
});
