import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceSchema } from '../config/schema/source-schema.js';
import type { SourceConfig } from '../config/schema.js';
import type { SheetLeft } from '../domain/drop.js';
import { ATTENTION_COLUMNS } from '../domain/files/attention-columns.js';
import type { Issue } from '../domain/issue.js';
import { errorsOf, OperatorError } from '../domain/operator-error.js';
import { isBlankRow, type Row } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { createNoteFinder } from '../normalise/field-reader.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { matchHeaders } from '../normalise/mapping/match-headers.js';
import { decidingColumns } from '../normalise/status/judge-columns.js';
import type { ZoneNote } from '../normalise/time/zone/zone-notes.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import type { CorrectionSheet } from '../reading/correction-file.js';
import { driftOf } from '../reading/known-mapping.js';
import { chooseSheet } from '../reading/plan-drop.js';
import { openSourceFile } from '../staging/open-file.js';
import { sourceNamed, type Workspace, withReadOnlyLedger } from './context.js';
import { withLocalFile } from './inboxes/with-local-file.js';

/** How many rows are shown, and of which sheet; undefined: the one that would be read. */
interface InspectOptions {
  readonly limit: number;
  /** undefined: the sheet that would be read. */
  readonly sheet?: string | undefined;
}

/** What the reader sees of a file, and how its header maps. */
export type Inspected = Awaited<ReturnType<typeof inspectDrop>>;

/**
 * Reads what the reader sees of a file, or of the one file in a container, and how its header maps; writes nothing that stays.
 * Throws OperatorError where no row at all can be read.
 * @param as the source by whose settings the file is mapped, with its workspace; null: it is mapped by widely known headers.
 * @returns `isDamaged` is true where the rows end at unreadable content; then the first issue says what that is.
 */
export async function inspect(
  file: string,
  as: { readonly source: string; readonly workspace: Workspace } | null,
  view: InspectOptions,
) {
  const source = as === null ? anySource() : sourceNamed(as.workspace.config, as.source);
  const read = async (path: string) => {
    const readable = upToDamage(await openSourceFile(path, source));
    const content = await inspectDrop(readable.opened, source, view);
    const damage = readable.damage();
    if (damage !== null && content.counts.records === 0) throw damage;
    const checked = as === null ? content : await withDrift(content, as.workspace);
    if (damage === null) return { ...checked, isDamaged: false };
    const { message, hint: remedy } = damage;
    const issue = { code: 'drop-unreadable' as const, column: null, value: null, message, remedy };
    return { ...checked, issues: [issue, ...checked.issues], isDamaged: true };
  };
  if (as !== null) return withLocalFile(file, source, as.workspace.paths, read);
  // Without a workspace what is in a container has no other place.
  const root = join(tmpdir(), `registrar-${randomBytes(8).toString('hex')}`);
  return withLocalFile(file, source, { root, processing: root }, read).finally(() =>
    rm(root, { recursive: true, force: true }),
  );
}

/** Reads the whole file once for its counts; keeps the first `limit` rows. */
export async function inspectDrop(opened: OpenedDrop, source: SourceConfig, view: InspectOptions) {
  const operation = operationNamed(source.operation);
  const ofSheet = view.sheet === undefined ? source : { ...source, sheet: view.sheet };
  const chosen = await chooseSheet(opened, ofSheet);
  const mapped = chosen.kind === 'export' ? chosen : null;
  const corrections = chosen.kind === 'correction' ? chosen.sheets : [];
  const attention = corrections.find(({ sheet }) => view.sheet === undefined || sheet === view.sheet) ?? null;
  const sheet = mapped?.sheet ?? attention?.sheet ?? sheetToShow(opened, view.sheet);
  const rows: Row[] = [];
  const counts = { records: 0, blank: 0, hidden: 0 };
  const noteOf =
    mapped === null ? () => null : createNoteFinder({ operation, source, header: mapped.header });
  const zoneNotes: ZoneNote[] = [...(mapped?.header.zoneNotes ?? [])];
  for await (const batch of opened.rows(sheet ?? undefined)) {
    for (const row of batch) {
      if (isBlankRow(row.cells)) counts.blank += row.lines ?? 1;
      else {
        counts.records += 1;
        if (row.isHidden) counts.hidden += 1;
        const note = zoneNotes.length < view.limit ? noteOf(row) : null;
        if (note) zoneNotes.push(note);
        if (rows.length < view.limit) rows.push(row);
      }
    }
  }
  const issues: readonly Issue[] = chosen.kind === 'refused' ? chosen.issues : [];
  const sheetsLeft: readonly SheetLeft[] = mapped?.sheetsLeft ?? [];
  const header: FoundHeader | null =
    mapped?.header ?? (attention ? headerOf(attention, operation, source, rows) : null);
  return {
    opened,
    source,
    sheet,
    sheetsLeft,
    header,
    /** Headers beside the status that say whether a row counts. */
    deciding:
      header === null ? [] : decidingColumns({ operation, source, header }).map((beside) => beside.header),
    /** The mark of the drop that an attention file is about; null for any other file. */
    attentionOf: attention?.marks[0] ?? null,
    rows,
    counts,
    /** What lines above and below the rows say about the zone of all times. */
    zoneNotes,
    issues,
  };
}

/** The header of an attention file, mapped by its original columns alone. */
function headerOf(
  { headerLine: line, columns }: CorrectionSheet,
  operation: Operation,
  source: SourceConfig,
  rows: readonly Row[],
): FoundHeader {
  const originals = columns.map((name) => (ATTENTION_COLUMNS.some((own) => own === name) ? '' : name));
  const below = rows.filter((row) => row.line > line).map(({ cells }) => cells);
  return { line, columns, match: matchHeaders(originals, operation, source, below) };
}

/** The drop with its rows up to a fault, because the rows before it help to find it; and the fault, once they were read. */
function upToDamage(opened: OpenedDrop) {
  let damage: OperatorError | null = null;
  async function* rows(sheet?: string): AsyncGenerator<readonly Row[]> {
    try {
      yield* opened.rows(sheet);
    } catch (error) {
      if (!(error instanceof OperatorError && error.exit === 'attention')) throw error;
      damage = error;
    }
  }
  return { opened: { ...opened, rows }, damage: (): OperatorError | null => damage };
}

/** The requested sheet, else the first visible one; null for a text file. */
function sheetToShow(opened: OpenedDrop, requested: string | undefined): string | null {
  if (!opened.workbook) return null;
  const { sheets } = opened.workbook;
  if (requested !== undefined && !sheets.some(({ name }) => name === requested)) {
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    throw errorsOf('choose a sheet')(
      requested,
      `the workbook has no sheet "${requested}"`,
      `It has: ${names}.`,
    );
  }
  return requested ?? sheets.find(({ state }) => state === 'visible')?.name ?? null;
}

/** Adds how the header differs from the one by which the source was read so far, if it does. */
async function withDrift(inspected: Inspected, workspace: Workspace): Promise<Inspected> {
  // An attention file is compared with its own drop, not with the source's last drop.
  const { header, attentionOf, source } = inspected;
  if (header === null || attentionOf !== null) return inspected;
  return withReadOnlyLedger(workspace, async (ledger) =>
    ledger === null ? inspected : { ...inspected, issues: await driftOf(ledger, source, header) },
  );
}

function anySource(): SourceConfig {
  return sourceSchema.parse({ name: 'any', operation: 'submit-completion', environment: 'main' });
}
