import type { RefusedDrop } from '../documents/status.js';
import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import { describeSelection, type Selection } from '../domain/selection.js';
import { countOf } from '../domain/text/count-of.js';
import type { OtherDrop } from '../ledger/drops/refused/refused-drops.js';
import {
  type DismissalOutlook,
  planDismissal,
  rowsToMove,
} from '../ledger/submissions/select/select-rows.js';
import { name, time } from '../report/sections/section.js';
import { counted } from '../report/text/counted.js';
import { closureText, withoutReason } from '../report/words/file-words.js';
import type { ActionContext } from './context.js';
import { decide } from './decision/decide.js';
import { moveRowsHandler } from './decision/handler.js';
import { type Preview, requiredReason, type Verb } from './decision/verb.js';
import type { RequestOf } from './decision/verb-facts.js';
import { withLearners } from './learners/learners-named.js';
import { noMatchText, omittedLines, PREVIEW_ROWS, rowTables } from './rows/chosen-rows.js';
import { DISMISSABLE } from './rows/selectable.js';

/** Rows are not sent, or a refused file is closed; both are kept. Rows that have moved since the plan was made are left alone. */
export const dismiss: Verb<RequestOf<'dismiss'>, DismissPlan, Dismissed> = {
  // Where the selection has only a file's name, refused files of that name are closed as well.
  async plan({ ledger }, request) {
    const { selection, drop = null } = request;
    const file = selection === null ? null : onlyFile(selection);
    const rows = selection === null ? null : withLearners(ledger, selection);
    const planned = await planDismissal(ledger, { rows, file, drop }, PREVIEW_ROWS);
    if ('other' in planned) throw notRefused(planned.other);
    return { ...planned, request };
  },
  async carryOut(context, { filter, recorded, request, files }, who, reason) {
    const because = requiredReason('dismiss', reason);
    const dropIds = files.map(({ drop }) => drop);
    const selection = {
      ...recorded,
      ...(request.drop === undefined ? {} : { drop: request.drop }),
      ...(dropIds.length === 0 ? {} : { refusedFiles: dropIds }),
    };
    const facts = { kind: 'dismiss' as const, who, because, selection, filter, refusals: dropIds };
    const { decisionId, result } = await decide(context, moveRowsHandler, facts);
    return { decisionId, moved: result.moved ?? 0, resolved: result.resolved ?? 0, files };
  },
  preview,
  outcome,
  document(planned, done, dryRun) {
    const files = (done ?? planned).files.map(({ drop, source, file }) => ({ drop, source, file }));
    if (done !== null)
      return { decision: done.decisionId, files, moved: done.moved, resolved: done.resolved };
    const { rows, omitted } = planned;
    return { dryRun, files, count: rows.total, causes: rows.groups, omitted };
  },
  rows: dismissedRows,
};

export interface DismissPlan extends DismissalOutlook {
  readonly request: RequestOf<'dismiss'>;
}

/** How many submissions will not be sent, and how many invalid rows need no attention any more. */
interface Dismissed {
  readonly decisionId: number;
  readonly moved: number;
  readonly resolved: number;
  readonly files: readonly RefusedDrop[];
}

export async function* dismissedRows({ ledger }: Pick<ActionContext, 'ledger'>, { filter }: DismissPlan) {
  for await (const page of rowsToMove(ledger, filter)) yield* page.map(({ row }) => row);
}

function preview({ request: { selection }, rows, files, first, omitted }: DismissPlan): Preview {
  const changes = rows.total + files.length > 0;
  const counts = [
    ...(rows.total > 0 ? [counted(rows.total, 'row')] : []),
    ...(files.length > 0 ? [counted(files.length, 'refused file')] : []),
  ];
  return {
    headline: changes ? counts.join(' and ') : noMatchText(selection),
    lines: [
      ...omittedLines(omitted),
      ...(rows.total > 0 && selection !== null
        ? [
            `Selected: ${describeSelection(selection)}. They stay on record, are never sent, and are no longer listed.`,
          ]
        : []),
      ...(files.length > 0
        ? ['No row of a refused file was imported. The file stays where it is and is no longer reported.']
        : []),
      ...files.map(({ drop, source, file, importedAt, refusal }) => [
        name(file),
        ` (drop ${drop} of ${source}, `,
        time(importedAt),
        `): ${refusal}`,
      ]),
    ],
    tables: rows.total > 0 ? rowTables({ rows, first }) : [],
    changes,
    fingerprint: [rows.total, rows.which, ...files.map(({ drop }) => drop)].join(' '),
  };
}

function outcome({ rows }: DismissPlan, { moved, resolved, files }: Dismissed): string[] {
  return [
    ...(moved > 0 || (rows.total > 0 && resolved === 0)
      ? [`${countOf(moved, 'row was', 'rows were')} dismissed: kept, never sent.`]
      : []),
    ...(resolved > 0
      ? [`${countOf(resolved, 'invalid row was', 'invalid rows were')} dismissed: kept, not listed.`]
      : []),
    ...files.map(
      ({ drop, source, file }) =>
        `Drop ${drop}, rejected/${source}/${file}, was dismissed: it stays where it is and is no longer reported.`,
    ),
  ];
}

/** The file that the selection names; null where it says anything else too: then it means rows and no file as a whole. */
function onlyFile({ file, states, ...narrowed }: Selection): string | null {
  const isUsual = DISMISSABLE.usual.every((state) => states.includes(state));
  return isUsual && Object.values(narrowed).every((value) => value === null) ? file : null;
}

function notRefused({ drop, file, closure }: OtherDrop): OperatorError {
  const about = errorsOf('dismiss a file');
  const subject = `drop ${drop}`;
  if (file === null) {
    const reason = 'not-found';
    return about(subject, `there is no drop ${drop}`, 'The status lists the refused files.', { reason });
  }
  if (closure === null) {
    const hint = `To dismiss its rows, select them by the file ${file}.`;
    return about(subject, `drop ${drop}, ${file}, was not refused: its rows count`, hint);
  }
  const message = `drop ${drop}, ${file}, is closed already${closureText(withoutReason(closure))}`;
  return about(subject, message, 'Nothing to do.');
}
