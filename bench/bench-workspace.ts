import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measured, time } from './measure.js';

export const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));

/** A new workspace in this folder, with one source and no platform to deliver to. @param source further settings of it. */
export function benchWorkspace(folder: string, source: object = {}): string {
  const workspace = join(folder, 'workspace');
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(join(workspace, 'inbox', 'bench'), { recursive: true });
  configureBench(workspace, source);
  return workspace;
}

/** Writes the settings of the workspace's source. */
export function configureBench(workspace: string, source: object): void {
  const [baseUrl, authUrl] = ['http://127.0.0.1:9', 'http://127.0.0.1:9'];
  const environments = { main: { baseUrl, authUrl, clientId: 'bench', clientSecret: '${BENCH_SECRET}' } };
  const own = { name: 'bench', operation: 'submit-completion', environment: 'main', stableFor: '0s' };
  const sources = [{ ...own, timeZone: 'Europe/Berlin', ...source }];
  writeFileSync(join(workspace, 'registrar.yaml'), JSON.stringify({ environments, sources }));
}

/**
 * Delivers a file to the workspace and stages it: the whole process, with all its checks.
 * @param expected exit codes: 1 where rows of the file are invalid.
 */
export function stageIn(
  workspace: string,
  file: string,
  expected: readonly number[] = [0],
): Promise<Measured> {
  copyFileSync(file, join(workspace, 'inbox', 'bench', basename(file)));
  return stageInbox(workspace, expected);
}

/** Stages the files of the workspace's inbox: the whole process. */
export function stageInbox(workspace: string, expected: readonly number[] = [0]): Promise<Measured> {
  const args = [MAIN, 'run', '--no-push', '--quiet', '--workspace', workspace];
  return time(process.execPath, args, { BENCH_SECRET: 'bench' }, expected);
}
