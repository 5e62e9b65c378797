import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { runInSeries } from '../support/run-in-series.js';
import { endedByHand, LASTING, stockedWorkspace } from './every-command-setup.js';

/** Each command once, in an order in which it finds work, and its exit code. */
const LINES = [
  ['init other --sample a.csv', 0],
  ['source add campus --sample a.csv --workspace other --dry-run', 0],
  ['completion bash', 0],
  ['demo --operation create-group', 2],
  ['call GET /api/v2/content --scope content:read', 2],
  ['inspect a.csv', 0],
  ['check a.csv --source academy', 0],
  ['run', 1],
  ['status', 0],
  ['alerts', 0],
  ['correct a.csv:5 --set Email=learner1@example.org --dry-run', 0],
  ['replace --all --column Email --find @ --with @ --dry-run', 0],
  ['map unknown@example.org learner1@example.org --because moved', 0],
  ['rerun --all --dry-run', 0],
  ['restage 1', 0],
  ['trace a.csv:2', 0],
  ['report --format csv --out elsewhere', 0],
  ['backup copy.db', 0],
  ['ledger copy --to other.db', 0],
  ['doctor', 0],
  ['user list', 0],
  ['token add billing --role viewer', 0],
  // Its schedule has a line, and no service runs.
  ['healthcheck --work', 1],
  ['dismiss --all --because gone', 0],
  ['purge --before 2020-01-01', 0],
  // Files that hold the learner are named, and left.
  ['forget learner2@example.org --because asked', 1],
  ['restore copy.db --because tried', 1],
] as const;

/** Are a file's: of a database they are refused. */
const OF_FILES: readonly string[] = ['backup copy.db', 'restore copy.db --because tried'];

it('every command can be carried out by the program, answers in JSON, and exits as it should', async () => {
  const workspace = await stockedWorkspace();
  const { ends } = await runInSeries(
    workspace,
    LINES.map(([line]) => `${line} --json`),
  );
  expect(ends.filter(({ stdout }) => !isDocument(stdout))).toEqual([]);
  expect(ends.map(({ line, code }) => [line.replace(/ --json$/, ''), code])).toEqual(
    LINES.map(([line, code]) => [line, workspace.database !== null && OF_FILES.includes(line) ? 2 : code]),
  );
  // The slower tests have the others.
  expect(await endedByHand(workspace, 'sandbox')).toEqual(LASTING.sandbox);
  const started = [...LINES.map(([line]) => line.split(' ')[0] ?? ''), ...Object.keys(LASTING)];
  expect(started.filter((name) => name !== 'call').sort()).toEqual(commandNames());
});

it('a path on a command line begins where the command is given, whatever the process’s folder', async () => {
  const workspace = await stockedWorkspace();
  const ends: [string, number | null][] = [];
  for (const line of [
    'inspect a.csv',
    'check a.csv --source academy',
    'init other --sample a.csv',
    'source add campus --sample a.csv --workspace other',
    'run',
    'report --format csv --out elsewhere',
    'trace a.csv:2',
    'backup copy.db',
    'restore copy.db --because tried',
  ])
    ends.push([line, (await workspace.cli(...line.split(' '), '--json')).code]);
  const isFile = workspace.database === null;
  expect(ends.filter(([, code]) => code !== 0)).toEqual([
    ['run', 1],
    ...(isFile ? [] : [['backup copy.db', 2]]),
    ['restore copy.db --because tried', isFile ? 1 : 2],
  ]);
  expect(readdirSync(workspace.root)).toEqual(
    expect.arrayContaining(['other', 'elsewhere', ...(isFile ? ['copy.db'] : [])]),
  );
  expect(workspace.sandbox.platform.received.at(-1)).toMatchObject({ method: 'POST' });
});

function commandNames(): string[] {
  return COMMANDS.map(({ name }) => name).sort();
}

function isDocument(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
