import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type SourceConfig, sourceSchema } from '../config/schema.js';
import { ATTENTION_COLUMNS } from '../domain/attention-columns.js';
import { countOf } from '../domain/count-of.js';
import type { SheetLeft } from '../domain/drop.js';
import { type Issue, issueText } from '../domain/issue.js';
import { OperatorError } from '../domain/operator-error.js';
import { cellText, isBlankRow, type Row } from '../domain/row.js';
import { visibleStrings } from '../domain/visible-text.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { closeLedger } from '../ledger/open.js';
import type { FoundHeader } from '../normalise/find-header.js';
import { type MappedColumn, matchHeaders } from '../normalise/match-headers.js';
import type { Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import { presetDocument, presetLines } from '../report/preset-words.js';
import { hiddenWords, leftWords } from '../report/sheet-words.js';
import { textTable } from '../report/text-table.js';
import type { CorrectionSheet } from '../staging/correction-file.js';
import { issuesAsKnown } from '../staging/known-mapping.js';
import { openDelivered } from '../staging/open-delivered.js';
import { chooseSheet } from '../staging/plan-drop.js';
import { openExpectedToRead } from '../upkeep/expected-ledger.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';
import { readWorkspace, sourceNamed, type Workspace } from './session.js';
import { wholeNumber } from './whole-number.js';

interface InspectOptions extends CommonOptions {
  readonly source?: string;
  readonly limit: number;
  readonly sheet?: string;
}

/** `registrar inspect`: what the reader sees and how headers map. */
export function addInspect(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('inspect <file>')
    .description('show what the reader sees in a file and how its headers map; writes nothing')
    .option('--source <name>', 'map as this source does; else by known headers')
    .option('--limit <n>', 'rows to show', wholeNumber, 20)
    .option('--sheet <name>', 'sheet to show; else the one that would be read')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InspectOptions>();
      const workspace = options.source === undefined ? null : readWorkspace(io, options, 'unused');
      const source = workspace ? sourceNamed(workspace.config, options.source ?? '') : anySource();
      const readable = upToDamage(await openDelivered(resolve(io.cwd, file), source));
      const seen = await inspectDrop(readable.opened, source, options);
      const damage = readable.damage();
      if (damage !== null && seen.counts.records === 0) throw damage;
      const known = workspace ? withDrift(seen, workspace) : seen;
      const inspected =
        damage === null ? known : { ...known, issues: [damageIssue(damage), ...known.issues] };
      print(
        io,
        options,
        () => inspectDocument(inspected),
        () => text(inspected),
      );
      if (damage !== null) finish('attention');
    });
}

/** What the reader sees of a file, and how its header maps. */
interface Inspected {
  readonly opened: OpenedDrop;
  readonly source: SourceConfig;
  readonly sheet: string | null;
  /** The sheets that would be read, in their order; empty for a text file and where none would. */
  readonly reads: readonly string[];
  readonly sheetsLeft: readonly SheetLeft[];
  readonly header: FoundHeader | null;
  /** Its mark of the drop, where it is an attention file. */
  readonly attentionOf: string | null;
  readonly rows: readonly Row[];
  /** Of the sheet that is shown. */
  readonly counts: { readonly records: number; readonly blank: number; readonly hidden: number };
  readonly issues: readonly Issue[];
}

/** Reads the whole file once for its counts; keeps the first `limit` rows. */
export async function inspectDrop(
  opened: OpenedDrop,
  source: SourceConfig,
  options: Pick<InspectOptions, 'limit' | 'sheet'>,
): Promise<Inspected> {
  const operation = operationNamed(source.operation);
  const named = options.sheet === undefined ? source : { ...source, sheet: options.sheet };
  const chosen = await chooseSheet(opened, operation, named);
  const mapped = 'header' in chosen ? chosen : null;
  const attention = 'kind' in chosen ? sheetAmong(chosen.sheets, options.sheet) : null;
  const sheet = mapped?.sheet ?? attention?.sheet ?? sheetToShow(opened, options.sheet);
  const rows: Row[] = [];
  const counts = { records: 0, blank: 0, hidden: 0 };
  for await (const batch of opened.rows(sheet ?? undefined)) {
    for (const row of batch) {
      if (isBlankRow(row.cells)) counts.blank += row.lines ?? 1;
      else {
        counts.records += 1;
        if (row.isHidden) counts.hidden += 1;
        if (rows.length < options.limit) rows.push(row);
      }
    }
  }
  return {
    opened,
    source,
    sheet,
    reads: mapped?.sheet == null ? [] : [mapped.sheet, ...mapped.further.map((each) => each.sheet)],
    sheetsLeft: mapped?.sheetsLeft ?? [],
    header: mapped?.header ?? (attention ? headerOf(attention, operation, source, rows) : null),
    attentionOf: attention?.mark ?? null,
    rows,
    counts,
    issues: 'header' in chosen || 'kind' in chosen ? [] : chosen,
  };
}

/** The sheet of corrections asked for, else the first. */
function sheetAmong(sheets: readonly CorrectionSheet[], asked: string | undefined): CorrectionSheet | null {
  if (asked === undefined) return sheets[0] ?? null;
  return sheets.find(({ sheet }) => sheet === asked) ?? null;
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

/**
 * The drop with its rows as far as they can be read: to see what stands before a fault helps to find it. What ended
 * them, if anything did, is to be asked for afterwards.
 */
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

function damageIssue({ message, hint }: OperatorError): Issue {
  return { code: 'drop-unreadable', column: null, value: null, message, remedy: hint };
}

/** The sheet asked for, else the first visible one; null for a text file. */
function sheetToShow(opened: OpenedDrop, asked: string | undefined): string | null {
  if (!opened.workbook) return null;
  const { sheets } = opened.workbook;
  if (asked !== undefined && !sheets.some(({ name }) => name === asked)) {
    throw new OperatorError({
      operation: 'choose a sheet',
      subject: asked,
      message: `the workbook has no sheet "${asked}"`,
      hint: `It has: ${sheets.map(({ name }) => `"${name}"`).join(', ')}.`,
    });
  }
  return asked ?? (sheets.find(({ state }) => state === 'visible') ?? sheets[0])?.name ?? null;
}

/** `inspect --json`, which `check --json` adds to. */
export function inspectDocument({
  opened,
  source,
  sheet,
  reads,
  sheetsLeft,
  header,
  attentionOf,
  rows,
  counts,
  issues,
}: Inspected) {
  const { sha256, bytes } = opened.identity;
  const { notShown } = operationNamed(source.operation);
  return {
    drop: { sha256, bytes, format: opened.format },
    ...(notShown === undefined ? {} : { operation: { name: source.operation, notShown } }),
    ...(opened.text ? { text: opened.text } : {}),
    ...(opened.workbook ? { workbook: { ...opened.workbook, sheet, reads, sheetsLeft } } : {}),
    header: header && {
      line: header.line,
      columns: header.columns,
      mapped: mappedColumns(header),
      unmapped: header.match.unmapped,
      preset: presetDocument(header.match, source),
      tiedPresets: header.match.tiedPresets,
    },
    ...(attentionOf === null ? {} : { attentionOf }),
    rows,
    counts,
    issues,
  };
}

function text(inspected: Inspected): string {
  const { opened, source, sheet, reads, sheetsLeft, header, attentionOf, rows, counts, issues } =
    visibleStrings(inspected);
  const lines = [`${opened.format}, ${opened.identity.bytes} bytes, SHA-256 ${opened.identity.sha256}`];
  if (opened.text) {
    const { encoding, fallback, bom, delimiter, lineEnds, rowEnd } = opened.text;
    lines.push(
      `${encoding}${fallback ? ', which nothing in the file says (confirm it with encoding: of the source)' : ''}${bom ? ' with byte-order mark' : ''}, delimiter ${JSON.stringify(delimiter)}, line ends ${lineEnds}${rowEnd === null ? '' : `, rows end with ${rowEnd}`}`,
    );
  }
  if (opened.workbook) {
    const others = opened.workbook.sheets.map(({ name, state }) =>
      state === 'visible' ? name : `${name} (${state})`,
    );
    lines.push(`sheet ${sheet ?? '-'} of: ${others.join(', ')}; dates count from ${opened.workbook.epoch}`);
    if (reads.length > 1) lines.push(`sheets that are read: ${reads.join(', ')}`);
    if (sheetsLeft.length > 0) lines.push(leftWords(sheetsLeft));
  }
  const { notShown } = operationNamed(source.operation);
  if (notShown !== undefined) lines.push(`${source.operation}: ${notShown}`);
  if (attentionOf !== null)
    lines.push(`attention file of drop ${attentionOf.split('-')[0]} (${attentionOf})`);
  lines.push(`${countOf(counts.records, 'row')} with content, ${counts.blank} blank`);
  if (counts.hidden > 0) lines.push(hiddenWords(counts.hidden, counts.records));
  lines.push('');
  if (header) {
    const mapped = Object.entries(header.match.mapped).map(([field, column]) => [
      field,
      column.header,
      WHY[column.why],
    ]);
    lines.push(`Header in line ${header.line}`, ...presetLines(header.match, source));
    lines.push(textTable(['FIELD', 'COLUMN', 'WHY'], mapped));
    if (header.match.unmapped.length > 0) lines.push(`not used: ${header.match.unmapped.join(', ')}`);
    lines.push('');
  }
  lines.push(
    ...issues.map((issue) => `${issue.code}: ${issueText(issue)}`),
    ...rows.map((row) => `${String(row.line).padStart(6)}  ${row.cells.map(cellText).join(' | ')}`),
  );
  return `${lines.join('\n')}\n`;
}

const WHY: Readonly<Record<MappedColumn['why'], string>> = {
  configured: 'registrar.yaml',
  preset: 'the preset',
  alias: 'a known header',
};

function mappedColumns(header: FoundHeader): Record<string, string> {
  return Object.fromEntries(
    Object.entries(header.match.mapped).map(([field, column]) => [field, column.header]),
  );
}

/** Adds how the header differs from the one the source was read by so far, where it does. */
function withDrift(inspected: Inspected, { paths, clock }: Workspace): Inspected {
  // An attention file is compared with its own drop, not with the source's last one.
  const ledger = inspected.attentionOf === null ? openExpectedToRead(paths, clock) : null;
  if (!ledger) return inspected;
  try {
    return {
      ...inspected,
      issues: issuesAsKnown(ledger, inspected.source, inspected.header ?? inspected.issues),
    };
  } finally {
    closeLedger(ledger);
  }
}

/** What a source would be that says nothing. */
function anySource(): SourceConfig {
  return sourceSchema.parse({ name: 'any', operation: 'submit-completion', environment: 'main' });
}
