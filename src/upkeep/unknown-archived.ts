import { OperatorError } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import { unknownDrops } from '../ledger/store/ledger-mark.js';
import type { Ledger } from '../ledger/store/query.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { listArchived } from '../workspace/taken/archived.js';

/**
 * Files of archive/ whose numbers belong to no published drop: the ledger has lost these drops and their rows. Only the
 * files' names are looked at.
 */
export async function unknownArchived(ledger: Ledger, paths: WorkspacePaths) {
  const archived = listArchived(paths);
  const unknown = new Set(await unknownDrops(ledger, [...new Set(archived.map(({ dropId }) => dropId))]));
  const bySource = new Map<string, string[]>();
  for (const { source, path, dropId } of archived) {
    if (unknown.has(dropId)) bySource.set(source, [...(bySource.get(source) ?? []), path]);
  }
  return [...bySource].map(([source, files]) => ({
    source,
    message: `the ledger doesn't know ${countOf(files.length, 'file')} of source ${source} in archive/, although ${files.length === 1 ? 'it' : 'they'} should have been imported: ${files.slice(0, SHOWN).join(', ')}${files.length > SHOWN ? ', …' : ''}`,
    remedy: `Put ${files.length === 1 ? 'it' : 'them'} into the inbox again: rows that the ledger knows are not sent twice.`,
  }));
}

const SHOWN = 3;

export async function archivedTroubles(ledger: Ledger, paths: WorkspacePaths): Promise<OperatorError[]> {
  return (await unknownArchived(ledger, paths)).map(
    ({ source, message, remedy }) =>
      new OperatorError({
        operation: 'compare archive/ with the ledger',
        subject: source,
        message,
        hint: remedy,
        exit: 'attention',
      }),
  );
}
