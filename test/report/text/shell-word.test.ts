import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../src/report/text/shell-word.js';

it.each([
  'learner-unknown',
  'HTTP 503',
  '',
  "it's",
  '$HOME',
  '`id`',
  'a\nb',
  '-n\u001b[2J%s\\\'"\u202eä',
  '/tmp/a b/*',
  '"',
  '\\',
  '~',
  '-n',
  '--all',
  '=ls',
  'a,b',
])('a shell takes %j for one word as it is', (text) => {
  const { stdout } = spawnSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
  expect(stdout).toBe(text);
});

it('what needs no quotation marks has none', () => {
  expect(shellWord('learner-unknown')).toBe('learner-unknown');
});

it.each(['-n.csv', '--all'])(
  'the value %s is in quotation marks, so that nobody reads it as an option',
  (text) => {
    expect(shellWord(text)).toBe(`'${text}'`);
  },
);

it('what does not show is written in numbers, which a shell reads as it was', () => {
  expect(shellWord('a\u001b[2J\nb')).toBe(`"$(printf -- 'a\\033[2J\\012b')"`);
});
