import { execFileSync } from 'node:child_process';
import { IS_ROOT, NOBODY } from '../support/users.js';
import type { TestWorkspace } from '../support/workspace.js';

/** What doctor sees in a ledger as well, which a database is from the beginning, and a file once something has run. */
export function inDatabase({ database }: TestWorkspace, ...faults: readonly RegExp[]): readonly RegExp[] {
  return database === null ? [] : faults;
}

/** Gives folders to the user without rights; the tests may not run as root. */
export function giveToNobody(folder: string): void {
  if (IS_ROOT) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
}
