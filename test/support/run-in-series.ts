import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkspace } from './workspace.js';

/** The result of one of several command lines that ran in series. */
export interface SeriesResult {
  readonly line: string;
  readonly code: number;
  readonly stdout: string;
}

/**
 * Runs several command lines by the compiled program in one process, one after the other, since a start takes
 * longer than most commands; fails where the process doesn't end by itself with 0.
 */
export async function runInSeries(
  workspace: TestWorkspace,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly ends: readonly SeriesResult[]; readonly stderr: string }> {
  const [script, ends] = [join(workspace.root, 'in-turn.mjs'), join(workspace.root, 'ends.json')];
  writeFileSync(script, SCRIPT);
  const more = { NODE_OPTIONS: `--import ${script}`, LINES: JSON.stringify(lines), ENDS: ends };
  const { code, stderr } = await workspace.startWith({ ...env, ...more }, 'version').ended;
  if (code !== 0) throw new Error(`the process ended with ${code}: ${stderr}`);
  return { ends: JSON.parse(readFileSync(ends, 'utf8')), stderr };
}

/** To be loaded before the program (`node --import`): each import of the program's file carries out a command line. */
const SCRIPT = `
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { LINES, ENDS } = process.env;
delete process.env.NODE_OPTIONS;
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
const { argv } = process;
const ends = [];
for (const line of JSON.parse(LINES)) {
  let stdout = '';
  process.stdout.write = (text) => {
    stdout += text;
    return true;
  };
  process.argv = [...argv.slice(0, 2), ...line.split(' ')];
  await import(pathToFileURL(argv[1]) + '?' + ends.length);
  ends.push({ line, code: process.exitCode, stdout });
}
delete process.stdout.write;
process.exitCode = 0;
process.argv = argv;
writeFileSync(ENDS, JSON.stringify(ends));
`;
