import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Remedy } from '../../../src/domain/remedy.js';
import { readSelection } from '../../../src/domain/selection.js';
import { ATTENTION_STATES } from '../../../src/domain/submission.js';
import { commandLine, shellWord } from '../../../src/report/text/command-line.js';

it.each<[Remedy, string]>([
  [{ action: 'map' }, 'registrar map'],
  [{ action: 'restage', drop: 12 }, 'registrar restage 12'],
  [{ action: 'restore', finish: true }, 'registrar restore --finish --because TEXT'],
  [{ action: 'dismiss', drop: 3 }, 'registrar dismiss --drop 3 --because TEXT'],
  [
    { action: 'rerun', selection: { states: ['held', 'failed'], cause: 'HTTP 503', run: 4 } },
    "registrar rerun --state held,failed --reason 'HTTP 503' --run 4",
  ],
  [
    {
      action: 'dismiss',
      selection: { states: ['held'], file: '-a b.csv', since: '2026-03-01T00:00:00.000Z' },
    },
    "registrar dismiss --state held --file '-a b.csv' --since 2026-03-01T00:00:00.000Z --because TEXT",
  ],
  [{ action: 'rerun', selection: { states: ['rejected'], rows: [7, 8] } }, 'registrar rerun --row 7 8'],
])('%j is one command that can be copied', (remedy, command) => {
  expect(commandLine(remedy)).toBe(command);
  // And the action itself reads its rows as written there.
  if (!('selection' in remedy)) return;
  const states = [...ATTENTION_STATES];
  const read = readSelection(JSON.parse(JSON.stringify(remedy.selection)), {
    done: 'x',
    states,
    usual: states,
  });
  expect(read).toMatchObject({ selection: remedy.selection });
});

it('a command given elsewhere names its workspace, in quotation marks where a shell needs them', () => {
  expect(commandLine({ action: 'map' }, '/srv/registrar')).toBe('registrar map --workspace /srv/registrar');
  expect(commandLine({ action: 'map' }, "/srv/it's")).toBe("registrar map --workspace '/srv/it'\\''s'");
  expect(commandLine({ action: 'map' }, '-x')).toBe("registrar map --workspace '-x'");
});

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

it('an argument is quoted only where the shell needs it', () => {
  expect(shellWord('learner-unknown')).toBe('learner-unknown');
});

it.each(['-n.csv', '--all'])(
  'the value %s is in quotation marks, so that it can’t be read as an option',
  (text) => {
    expect(shellWord(text)).toBe(`'${text}'`);
  },
);
