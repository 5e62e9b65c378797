import { KNOWN_CALLS } from '../config/platform-calls.js';
import type { Config, SourceConfig } from '../config/schema.js';
import type { CorrectedSheet } from '../documents/correction.js';
import { grouped } from '../domain/grouped.js';
import type { Issue } from '../domain/issue.js';
import { DISPOSITIONS, type Disposition, noDispositions } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import type { Ledger } from '../ledger/store/query.js';
import type { PreparedRow } from '../ledger/submissions/staging/read-rows.js';
import { requireKnownMapping } from '../reading/known-mapping.js';
import { planDrop, type ReadingPlan } from '../reading/plan-drop.js';
import {
  type CheckedDrop,
  type CheckedRecord,
  checkDrop,
  withRequests,
} from '../staging/check/check-drop.js';
import type { CheckedRows } from '../staging/check/judge-rows.js';
import {
  type CorrectedFile,
  readCorrectedFile,
  type SheetCorrections,
} from '../staging/correct/corrected-file.js';
import type { RowCorrection, RowCorrections } from '../staging/correct/corrected-rows.js';
import { correctionJudge, type RowReader, withSameKeys } from '../staging/correct/rows-again.js';
import { openSourceFile } from '../staging/open-file.js';
import { stagingTarget } from '../staging/stage-context.js';
import { sourceNamed, type Workspace, withReadOnlyLedger } from './context.js';
import { withLocalFile } from './inboxes/with-local-file.js';
import { inspectDrop } from './inspect.js';

/** What staging would make of a file. `inspected`: what `inspect` shows of it; `sheetsLeft`: sheets that don't count. */
export type CheckedFile = Awaited<ReturnType<typeof check>>;

/**
 * A dry run of one file for a source; writes nothing that stays. `file`: its path, or its address in the remote inbox of the
 * source. `limit`: how many issues, and how many requests, are kept.
 */
export async function check(
  { config, paths, clock }: Pick<Workspace, 'config' | 'paths' | 'clock'>,
  { file, source: name, limit }: { readonly file: string; readonly source: string; readonly limit: number },
) {
  const source = sourceNamed(config, name);
  return withLocalFile(file, source, paths, async (path) => {
    const opened = await openSourceFile(path, source);
    const inspected = await inspectDrop(opened, source, { limit });
    const planned = await planDrop(opened, source);
    const sheetsLeft = planned.kind === 'export' ? planned.sheetsLeft : [];
    const all = await withReadOnlyLedger({ paths, clock }, (ledger) =>
      checkPlanned(ledger, { config, clock }, opened, planned, source, limit),
    );
    return { ...all, inspected, sheetsLeft };
  });
}

/** What `check` says, as pages show it, with the header's line and the column of each field; null where none was found. */
export function checkedContent({ inspected, ...all }: CheckedFile) {
  const { header } = inspected;
  return {
    ...all,
    header: header && {
      line: header.line,
      mapped: Object.entries(header.match.mapped).map(([field, { header: column }]) => ({ field, column })),
      deciding: inspected.deciding,
      unmapped: header.match.unmapped.filter((name) => !inspected.deciding.includes(name)),
    },
  };
}

/** What staging would make of a file; writes nothing. @param ledger null where there is none yet. */
async function checkPlanned(
  ledger: Ledger | null,
  { config, clock }: Pick<Workspace, 'config' | 'clock'>,
  opened: OpenedDrop,
  planned: ReadingPlan,
  source: SourceConfig,
  limit: number,
): Promise<ReturnType<typeof together>> {
  if (planned.kind === 'correction') {
    if (ledger === null) return together([], [NO_LEDGER], limit);
    const read = await readCorrectedFile(opened, planned.sheets, ledger, config.sources);
    return checkCorrectedFile({ ledger, config }, read, limit);
  }
  const checked: CheckedSheet[] = [];
  const rows: CheckedRows[] = [];
  const refused: Issue[] = [];
  const compared = await requireKnownMapping(ledger, source, planned, null);
  if (compared.kind === 'refused') return together([], compared.issues, limit);
  const calls = config.environments[source.environment] ?? KNOWN_CALLS;
  const context = { ledger, clock, source, calls, limit };
  for (const plan of [compared, ...compared.further]) {
    const drop = await checkDrop(opened, plan, { ...context, after: rows.at(-1) ?? null });
    rows.push(drop.rows);
    if (drop.refusal !== null) {
      refused.push(drop.refusal);
      // As in staging: of a table over several sheets, no sheet is taken after a refused one.
      break;
    }
    checked.push({ ...drop, sheet: compared.further.length === 0 ? null : plan.sheet, correction: null });
  }
  return together(checked, refused, limit);
}

/** What a returned file would do; writes nothing. */
export async function checkCorrectedFile(
  { ledger, config }: Pick<Workspace, 'config'> & { readonly ledger: Ledger },
  { sheets, refused: refusedRows }: CorrectedFile,
  limit: number,
): Promise<ReturnType<typeof together>> {
  const checked: CheckedSheet[] = [];
  for (const read of sheets) {
    const sheet = await checkCorrected(ledger, read, config, limit);
    const name = sheets.length > 1 ? sheet.sheet : null;
    checked.push({ ...sheet, sheet: name, hiddenRows: 0, omitted: [], omittedIssues: [] });
  }
  const refused = refusedRows.map(({ sheet: _sheet, line: _line, ...issue }) => issue);
  return together(checked, refused, limit);
}

const NO_LEDGER: Issue = {
  code: 'attention-drop-unknown',
  column: null,
  value: null,
  message: 'the file corrects rows of earlier files, and this workspace has imported nothing yet',
  remedy: 'put it into an inbox of the workspace whose report it comes from',
};

/** One sheet of the file, by its name where the table covers several. */
interface CheckedSheet extends Omit<CheckedDrop, 'refusal'> {
  readonly sheet: string | null;
  /** null for a sheet of an export, and for one of right addresses. */
  readonly correction: CorrectedSheet | null;
}

function together(checked: readonly CheckedSheet[], refused: readonly Issue[], limit: number) {
  const dispositions = noDispositions();
  for (const sheet of checked)
    for (const name of DISPOSITIONS) dispositions[name] += sheet.dispositions[name];
  const of = ({ sheet }: CheckedSheet) => (sheet === null ? {} : { sheet });
  const issues: readonly (Issue & { readonly sheet?: string; readonly line?: number })[] = [
    ...refused,
    ...checked.flatMap((sheet) => sheet.issues.slice(0, limit).map((issue) => ({ ...of(sheet), ...issue }))),
    ...checked.flatMap((sheet) => sheet.omittedIssues.map((issue) => ({ ...of(sheet), ...issue }))),
  ];
  return {
    refused,
    /** True where neither the file nor a sheet would be refused and no row would be invalid. */
    isClean: refused.length === 0 && dispositions.invalid === 0,
    dispositions: checked.length === 0 ? null : dispositions,
    hiddenRows: checked.reduce((sum, sheet) => sum + sheet.hiddenRows, 0),
    issues: issues.slice(0, Math.max(limit, refused.length)),
    omitted: checked.flatMap(({ omitted }) => omitted),
    records: checked
      .flatMap((sheet) => sheet.records.map((record) => ({ ...of(sheet), ...record })))
      .slice(0, limit),
    corrections: checked.flatMap(({ correction }) => correction ?? []),
  };
}

/** Previews a corrected sheet; writes nothing. Personal. @param limit the maximum number of issues, of rows and of requests. */
async function checkCorrected(
  ledger: Ledger,
  sheet: SheetCorrections,
  { environments }: Pick<Config, 'environments'>,
  limit: number,
) {
  const dispositions = noDispositions();
  const issues: (Issue & { readonly line: number })[] = [];
  const records: CheckedRecord[] = [];
  const rows: CorrectedSheet['rows'][number][] = [];
  const effects = { rerun: 0, replaced: 0, resolved: 0, unchanged: 0 };
  const judge = sheet.kind === 'rows' ? await sheetJudge(ledger, sheet) : unapplied;
  const changedFirst = [...sheet.rows].sort((a, b) => Number(a.isUnchanged) - Number(b.isUnchanged));
  for (const read of changedFirst) {
    const { line, of } = read;
    const { row, disposition, original, records: own } = await judge(read);
    dispositions[disposition] += 1;
    if (row.kind === 'invalid' || row.kind === 'skipped')
      issues.push(...row.issues.map((issue) => ({ line, ...issue })));
    records.push(...own.map(({ record }) => ({ line, record })));
    if (of === null) continue;
    effects[original] += 1;
    rows.push({ line, drop: of.dropId, originalLine: of.line, disposition, original });
  }
  const summary = { sheet: sheet.sheet, dispositions, issues: issues.slice(0, limit) };
  if (sheet.kind !== 'rows') return { ...summary, records: [], correction: null };
  const calls = environments[sheet.source.environment] ?? KNOWN_CALLS;
  const corrects = [...sheet.readers.values()].map(({ drop }) => ({ drop: drop.dropId, file: drop.file }));
  return {
    ...summary,
    records: withRequests(stagingTarget(sheet.source), calls, records.slice(0, limit)),
    correction: {
      sheet: sheet.sheet,
      source: sheet.source.name,
      effects,
      requests: records.length + effects.rerun,
      corrects,
      rows: rows.slice(0, limit),
    },
  };
}

function unapplied({ row }: RowCorrection) {
  const disposition: Disposition = row.kind === 'record' ? 'skipped' : row.kind;
  return { row, disposition, original: 'unchanged' as const, records: [] as CheckedRecord[] };
}

/** Returns a function that judges a sheet's rows, in their order, as applied. */
async function sheetJudge(ledger: Ledger, { rows, readers, source }: RowCorrections) {
  const applied = rows.flatMap(({ of, row, applies }) =>
    of === null || applies === null ? [] : [{ dropId: of.dropId, row }],
  );
  const judged = new Map<string, PreparedRow>();
  for (const [dropId, own] of grouped(applied, (one) => one.dropId)) {
    const reader = readers.get(dropId) as RowReader;
    const read = own.map(({ row }) => row);
    for (const row of await withSameKeys(ledger, reader.drop, reader.source, read, 'each-other'))
      judged.set(`${dropId}:${row.line}`, row);
  }
  const judge = correctionJudge(ledger, stagingTarget(source));
  return async (read: RowCorrection) => {
    const { of, applies } = read;
    const row = of === null ? undefined : judged.get(`${of.dropId}:${of.line}`);
    if (row === undefined || applies === null) return unapplied(read);
    return { row, ...(await judge(row, applies.open)) };
  };
}
