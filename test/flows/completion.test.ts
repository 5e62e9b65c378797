import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { once } from '../../src/domain/process/once.js';
import { completed, keepOffers, type Place, type Shell } from '../support/shell-completion.js';

const shared = mkdtempSync(join(tmpdir(), 'registrar-'));
afterAll(() => rmSync(shared, { recursive: true, force: true }));

/** A folder with a file and a folder in it, and all that the program offers there but for the first of the lines. */
const place = once(async (): Promise<Place> => {
  const cwd = join(shared, 'workspace');
  mkdirSync(join(cwd, 'exports'), { recursive: true });
  writeFileSync(join(cwd, 'export.csv'), '');
  const here = { cwd, env: {}, shared };
  for (const line of KEPT) await keepOffers(line, here);
  return here;
});

/** Shells may take a second each on a busy machine. */
const SLOW = { timeout: 300_000 };

/** Offers by what is typed. */
const OFFERS: readonly (readonly [string, readonly string[]])[] = [
  ['registrar insp', ['inspect']],
  ['registrar --json che', ['check']],
  ['registrar --workspace . insp', ['inspect']],
  ['registrar source a', ['add']],
  ['registrar inspect --so', ['--source']],
  ['registrar user hash anna --role v', ['viewer']],
  ['registrar check --source academy export.', ['export.csv']],
];

const LINES = OFFERS.map(([line]) => line);

/** The lines of all shells but the first, for which the program itself is started. */
const KEPT = [
  ...LINES.slice(1),
  'registrar ',
  'registrar check export.csv --s',
  'registrar --s',
  'registrar init exp',
];

describe.each<Shell>(['fish', 'bash'])('%s', (shell) => {
  const slow = { ...SLOW, tags: [shell] };

  it('offers what the line can continue with', slow, async () => {
    expect(await completed(shell, LINES, await place())).toEqual(Object.fromEntries(OFFERS));
  });

  it('offers every command, only what a command has, and folders where a folder is meant', slow, async () => {
    const [all, option, none, folder] = ['', 'check export.csv --s', '--s', 'init exp'].map(
      (words) => `registrar ${words}`,
    ) as [string, string, string, string];
    const offers = await completed(shell, [all, option, none, folder], await place());
    expect(offers).toEqual({
      [all]: COMMANDS.map(({ name }) => name).sort(),
      [option]: ['--source'],
      [none]: [],
      [folder]: [expect.stringMatching(/^exports\/?$/)],
    });
  });
});

it('zsh completes a line with what can follow', { ...SLOW, tags: ['zsh'] }, async () => {
  const became = OFFERS.map(([line, [offer]]) => [line, [line.replace(/[^ ]*$/, offer ?? '')]]);
  expect(await completed('zsh', LINES, await place())).toEqual(Object.fromEntries(became));
});
