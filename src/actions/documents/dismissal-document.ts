import type { Dismissed, DismissPlan } from '../dismiss.js';
import { selectionDocument } from './selection-document.js';

/** A dismissal that is planned, as `dismiss --json` prints it; `rowDocument` gives its rows. */
export function dismissalDocument(planned: DismissPlan, dryRun: boolean) {
  return { dryRun, files: planned.files.map(fileDocument), ...selectionDocument(planned) };
}

/** What a dismissal has done, as `dismiss --json` prints it. */
export function dismissedDocument({ decisionId, moved, resolved, files }: Dismissed) {
  return { decision: decisionId, moved, resolved, files: files.map(fileDocument) };
}

/** A set-aside file as documents name it. */
function fileDocument({ dropId, source, file }: DismissPlan['files'][number]) {
  return { drop: dropId, source, file };
}
