import {
  carryOut,
  type Dismissed,
  type DismissPlan,
  dismissedRows,
  plan,
  requireReason,
} from '../actions/dismiss.js';
import { dismissalDocument, dismissedDocument } from '../actions/documents/selection-document.js';
import { DISMISSABLE } from '../actions/rows/selectable.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { Answer, Call } from './command.js';
import type { putRight } from './facts/put-right.js';
import { namedRows, requiredRows } from './row-selection.js';
import { selectionText } from './selected-text.js';

/** Carries `registrar dismiss` out. */
export async function answer({ options, openToDecide, who }: Call<typeof putRight.dismiss>): Promise<Answer> {
  const { drop = null, dryRun = false, because = '' } = options;
  const selection =
    drop === null ? requiredRows('dismiss', options, DISMISSABLE) : namedRows(options, DISMISSABLE);
  if (!dryRun) requireReason(because);
  const context = await openToDecide({ dryRun });
  const planned = await plan(context, { selection, drop });
  if (!dryRun && planned.rows.total + planned.files.length > 0) {
    return doneAnswer(planned, await carryOut(context, planned, who, because));
  }
  return {
    document: () => dismissalDocument(planned, dryRun),
    list: { name: 'selected', entries: () => dismissedRows(context, planned) },
    text: (columns) => textOf(planned, dryRun, columns),
  };
}

function textOf(planned: DismissPlan, dryRun: boolean, columns: number | null): string {
  const { request, rows, files } = planned;
  const { selection } = request;
  const isShown = selection !== null && (files.length === 0 || rows.total > 0);
  const lines = [
    ...files.map((file) => `${fileText(file)} would be dismissed: its rows have not come in.`),
    ...(isShown ? [selectionText({ ...planned, selection }, columns)] : []),
    ...(dryRun && rows.total > 0 ? [`${rows.total} would be dismissed. Nothing was changed.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function doneAnswer({ rows }: DismissPlan, dismissed: Dismissed): Answer {
  const { moved, resolved, files } = dismissed;
  const isInvalid = resolved > 0;
  const lines = [
    ...(moved > 0 || (rows.total > 0 && !isInvalid)
      ? [`${countOf(moved, 'row was', 'rows were')} dismissed: kept, and not sent.`]
      : []),
    ...(isInvalid
      ? [
          `${countOf(resolved, 'invalid row was', 'invalid rows were')} dismissed: kept, and nobody needs to see to ${agreeing(resolved, 'it', 'them')}.`,
        ]
      : []),
    ...files.map((file) => `${fileText(file)} is dismissed: it lies where it was, and is told no more.`),
  ];
  return {
    document: () => dismissedDocument(dismissed),
    text: () => `${lines.join('\n')}\n`,
  };
}

type SetAside = DismissPlan['files'][number];

/** A set-aside file in words. */
function fileText({ drop, source, file }: SetAside): string {
  return visibleText(`Drop ${drop}, rejected/${source}/${file},`);
}
