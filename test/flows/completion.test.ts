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

/** What all shells type but the first of the lines, for which the program itself is started. */
const KEPT = [
  ...OFFERS.slice(1).map(([line]) => line),
  'registrar ',
  'registrar check export.csv --s',
  'registrar --s',
  'registrar init exp',
];

describe.each<Shell>(['fish', 'bash'])('%s', (shell) => {
  const slow = { ...SLOW, tags: [shell] };

  it.each(OFFERS)('offers for %j: %j', slow, async (line, offers) => {
    expect(await completed(shell, line, await place())).toEqual(offers);
  });

  it('offers every command, and only what a command has', slow, async () => {
    const here = await place();
    const names = COMMANDS.map(({ name }) => name);
    expect(await completed(shell, 'registrar ', here)).toEqual([...names].sort());
    expect(await completed(shell, 'registrar check export.csv --s', here)).toEqual(['--source']);
    expect(await completed(shell, 'registrar --s', here)).toEqual([]);
  });

  it('offers folders where a folder is meant', slow, async () => {
    const found = await completed(shell, 'registrar init exp', await place());
    expect(found.map((path) => path.replace(/\/$/, ''))).toEqual(['exports']);
  });
});

it.each(OFFERS)('zsh completes %j by %j', { ...SLOW, tags: ['zsh'] }, async (line, [offer]) => {
  const [became = ''] = await completed('zsh', line, await place());
  expect(became).toBe(line.replace(/[^ ]*$/, offer ?? ''));
});
