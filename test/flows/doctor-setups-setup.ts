import { execFileSync } from 'node:child_process';
import { IS_ROOT, NOBODY } from '../support/users.js';
import type { TestWorkspace } from '../support/workspace.js';

/** Faults that doctor reports once there is a ledger: in a database from the beginning, in a file after the first run. */
export function inDatabase({ database }: TestWorkspace, ...faults: readonly RegExp[]): readonly RegExp[] {
  return database === null ? [] : faults;
}

/** Gives a folder to the user without rights, where the tests run as root. */
export function giveToNobody(folder: string): void {
  if (IS_ROOT) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
}
