import { errorsOf } from '../../domain/operator-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';

/** Requires a ledger in a file. @param operation what a database doesn't need, such as `restore a backup`. */
export function requireFile({ database, root }: WorkspacePaths, operation: string): void {
  if (database === null) return;
  throw errorsOf(operation)(
    root,
    'the ledger of this workspace is a database, and no file: it is backed up and restored as databases are',
    'See docs/deploy.md, "A database for several machines". Nothing was changed.',
  );
}
