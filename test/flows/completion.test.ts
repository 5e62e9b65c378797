import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { completed, keepOffers, type Place, type Shell } from '../support/shell-completion.js';
import { ledgerEnv, testWorkspace } from '../support/workspace.js';

const shared = mkdtempSync(join(tmpdir(), 'registrar-'));
let isKept = false;
afterAll(() => rmSync(shared, { recursive: true, force: true }));

/** A workspace with a file and a folder in it. */
async function place(): Promise<Place> {
  const workspace = await testWorkspace();
  writeFileSync(join(workspace.root, 'export.csv'), '');
  mkdirSync(join(workspace.root, 'exports'));
  const here = { cwd: workspace.root, env: ledgerEnv(workspace), shared };
  if (!isKept) for (const line of KEPT) await keepOffers(line, here);
  isKept = true;
  return here;
}

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

/** Those of the shells that offer more than one word, or none. */
const FURTHER: typeof OFFERS = [
  ['registrar ', COMMANDS.map(({ name }) => name).sort()],
  ['registrar check export.csv --s', ['--source']],
  ['registrar --s', []],
];

/** What all shells type but the first of the lines, for which the program itself is started. */
const KEPT = [...[...OFFERS.slice(1), ...FURTHER].map(([line]) => line), 'registrar init exp'];

describe.each<Shell>(['fish', 'bash'])('%s', (shell) => {
  const slow = { ...SLOW, tags: [shell] };

  it(
    'offers every command, only what a command has, its values, files, and folders where one is meant',
    slow,
    async () => {
      const folder = shell === 'fish' ? 'exports/' : 'exports';
      const offers = [...OFFERS, ...FURTHER, ['registrar init exp', [folder]] as const];
      const lines = offers.map(([line]) => line);
      expect(await completed(shell, lines, await place())).toEqual(offers);
    },
  );
});

it('zsh completes commands, what they have, values and files', { ...SLOW, tags: ['zsh'] }, async () => {
  const lines = OFFERS.map(([line]) => line);
  expect(await completed('zsh', lines, await place())).toEqual(
    OFFERS.map(([line, [offer = '']]) => [line, [line.replace(/[^ ]*$/, offer)]]),
  );
});
