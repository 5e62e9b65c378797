import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { issueText } from '../../domain/issue.js';
import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import { writeWorkbook } from '../../report/workbook/write-workbook.js';
import type { StageResult } from '../../staging/conclude-drop.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import { writeFileAtomic } from '../../workspace/files/atomic-write.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import { temporaryPath } from '../../workspace/files/left-files.js';
import { makeFolder } from '../../workspace/folders.js';
import { keepCorrection } from '../../workspace/taken/kept-corrections.js';
import type { ActionContext } from '../context.js';
import { decide } from '../decision/decide.js';
import type { CellToSet } from './cells-to-set.js';
import { correctDeed } from './deed.js';
import { type FilePlan, planFile } from './plan-file.js';
import { planRow, type RowPlan } from './plan-row.js';
import { correctedSheet } from './row-to-correct.js';

/** What is to be corrected. */
export type CorrectRequest =
  | {
      readonly kind: 'row';
      /** A row as `trace` takes it: `file.csv:217`, `12:217` or `#3`. */
      readonly what: string;
      readonly set: readonly CellToSet[];
    }
  /** A corrected attention file; `limit` rows of it are shown. */
  | { readonly kind: 'file'; readonly path: string; readonly limit: number };

export type Correcting = RowPlan | FilePlan;

/** What a correction did. */
export interface Corrected {
  readonly decisionId: number;
  /** The result of staging the file, for a workbook sheet by sheet. */
  readonly results: readonly StageResult[];
  /** How many submissions were replaced or sent again, and how many invalid rows were resolved. */
  readonly moved: number;
  readonly resolved: number;
}

/** Works out what a correction would do; writes nothing. Throws OperatorError where the correction can't be made. */
export async function plan(context: ActionContext, request: CorrectRequest): Promise<Correcting> {
  const planned =
    request.kind === 'row'
      ? await planRow(context, request.what, request.set)
      : await planFile(context, request.path, request.limit);
  const inQuestion = await settingsInQuestion(context.ledger, planned.source);
  if (inQuestion !== null) throw inQuestion;
  return planned;
}

/**
 * Carries the plan out as one decision. The plan's file is taken in like a file from an inbox, under this name and for this
 * reason; for a single row that file is written like the attention file of its drop. Throws OperatorError where a row would
 * still be no record, or nothing would change; then nothing is decided.
 */
export async function carryOut(
  context: ActionContext,
  planned: Correcting,
  who: Decider,
  because: string,
): Promise<Corrected> {
  const { ledger, paths } = context;
  if (planned.kind === 'row') requireEffect(planned);
  const { source } = planned;
  const folder = join(paths.processing, source.name);
  await makeFolder(folder);
  const path = temporaryPath(folder);
  try {
    await writeFileAtomic(path, async (target) => writeContent(context, planned, target, { who, because }));
    const sha256 = await sha256Of(path);
    if (planned.kind === 'file' && sha256 !== planned.sha256) throw changed(planned.path);
    const place = planned.kind === 'row' ? { row: `${planned.row.dropId}:${planned.row.line}` } : {};
    const selection = { file: sha256, source: source.name, ...place };
    const open = async () => {
      await keepCorrection(path, folder, { sha256, name: nameOf(planned) });
      failpoint('correction-kept');
      return openDecision(ledger, { kind: 'correct', who, because, selection });
    };
    const asked = { operation: 'correct rows', subject: labelOf(planned) };
    const { decisionId, done, result } = await decide(context, correctDeed, open, { asked });
    return { decisionId, results: done, moved: result.moved ?? 0, resolved: result.resolved ?? 0 };
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes the file that is taken in: the given file, or the row as a sheet of its own. */
async function writeContent(
  { clock }: ActionContext,
  planned: Correcting,
  path: string,
  { who, because }: { readonly who: Decider; readonly because: string },
): Promise<void> {
  if (planned.kind === 'file') return copyFile(planned.path, path);
  const detail = `${who.name}, ${isoFromMs(clock.nowMs())}: ${because}`;
  const { columns, cells } = correctedSheet(planned.row, planned.given, detail);
  const headers = cells.map((_, index) => columns[index] ?? '');
  const sheet = {
    name: 'Correction',
    columns: headers.map((header) => ({ header, kind: 'text' as const })),
    rows: [cells],
    whenFull: '',
  };
  return writeWorkbook(path, [sheet]);
}

function nameOf(planned: Correcting): string {
  if (planned.kind === 'file') return planned.name;
  const { drop, line } = planned.row;
  return `${drop.file.replace(/\.[^.]{1,8}$/, '').replaceAll('/', '_')}-${line}.attention.xlsx`;
}

function labelOf(planned: Correcting): string {
  return planned.kind === 'file' ? planned.name : planned.row.label;
}

function requireEffect({ row: { label }, outcome, issues }: RowPlan): void {
  const { disposition, original } = outcome;
  const why = issues.map(issueText).join(' ');
  const refused = (message: string, hint: string) =>
    new OperatorError({ operation: 'correct a row', subject: label, message, hint, exit: 'attention' });
  if (disposition === 'invalid') {
    throw refused(`with these values ${label} is still no record. ${why}`, 'Nothing was changed.');
  }
  if (original !== 'unchanged') return;
  throw refused(
    `with these values ${label} would be ${disposition}, and nothing would change. ${why}`.trimEnd(),
    'What is not to be delivered is dismissed: registrar dismiss.',
  );
}

function changed(path: string): OperatorError {
  return new OperatorError({
    operation: 'correct rows by a file',
    subject: path,
    message: `${path} changed while it was read`,
    hint: 'Give the command again when nobody writes to it. Nothing was changed.',
    exit: 'attention',
  });
}
