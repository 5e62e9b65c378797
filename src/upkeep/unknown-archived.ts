import { grouped } from '../domain/grouped.js';
import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import { unknownDrops } from '../ledger/store/ledger-mark.js';
import type { Ledger } from '../ledger/store/query.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { listArchived } from '../workspace/taken/archived.js';

/** Files of archive/ whose numbers belong to no published drop, by source: the ledger has lost these drops. */
export async function unknownArchived(ledger: Ledger, paths: WorkspacePaths): Promise<OperatorError[]> {
  const archived = listArchived(paths);
  const unknown = new Set(await unknownDrops(ledger, [...new Set(archived.map(({ dropId }) => dropId))]));
  const lost = archived.filter(({ dropId }) => unknown.has(dropId));
  return [...grouped(lost, ({ source }) => source)].map(([source, files]) => {
    const [they, them] = files.length === 1 ? ['it', 'it'] : ['they', 'them'];
    const named = files.slice(0, SHOWN).map(({ path }) => path);
    const more = files.length > SHOWN ? ', …' : '';
    const message = `the ledger doesn't know ${countOf(files.length, 'file')} of source ${source} in archive/, although ${they} should have been imported: ${named.join(', ')}${more}`;
    const hint = `Put ${them} into the inbox again: rows that the ledger knows are not sent twice.`;
    return errorsOf('compare archive/ with the ledger')(source, message, hint, { exit: 'attention' });
  });
}

const SHOWN = 3;
