import { KNOWN_CALLS } from '../config/platform-calls.js';
import type { SourceConfig } from '../config/schema.js';
import type { SheetLeft } from '../domain/drop.js';
import type { Issue } from '../domain/issue.js';
import { DISPOSITIONS, noDispositions } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { disconnect } from '../ledger/store/open.js';
import type { Ledger } from '../ledger/store/query.js';
import { operationNamed } from '../operations/registry.js';
import { planAsKnown } from '../reading/known-mapping.js';
import { type Planned, planDrop, plansBySheet, type ReadingPlan } from '../reading/plan-drop.js';
import { planRedrop, type RedropPlan } from '../reading/plan-redrop.js';
import { type CheckedDrop, checkAddresses, checkDrop } from '../staging/check/check-drop.js';
import type { CheckedRows } from '../staging/check/same-keys.js';
import { openDelivered } from '../staging/open-delivered.js';
import { type AddressPlan, planAddresses } from '../staging/prepare/address-sheet.js';
import { openExpectedToRead } from '../upkeep/expected-ledger.js';
import { sourceNamed, type Workspace } from './context.js';
import { type Inspected, inspectDrop } from './inspect.js';

/** What staging would make of a file. */
export interface CheckedFile extends ReturnType<typeof together> {
  /** What `inspect` shows of the file. */
  readonly seen: Inspected;
  /** Why the file, or a sheet of it, would be set aside. */
  readonly refused: readonly Issue[];
  /** Sheets of the workbook that don't count. */
  readonly sheetsLeft: readonly SheetLeft[];
  /** True where neither the file nor a sheet would be set aside and no row would be invalid. */
  readonly isClean: boolean;
}

/** The file to check, and how. */
export interface CheckRequest {
  readonly file: string;
  /** The name of the source whose settings apply. */
  readonly source: string;
  /** How many issues, and how many requests, are kept. */
  readonly limit: number;
}

/** A dry run of one file for a source; writes nothing. */
export async function check(
  { config, paths, clock }: Pick<Workspace, 'config' | 'paths' | 'clock'>,
  { file, source: name, limit }: CheckRequest,
): Promise<CheckedFile> {
  const source = sourceNamed(config, name);
  const opened = await openDelivered(file, source);
  const seen = await inspectDrop(opened, source, { limit });
  const planned = await planDrop(opened, operationNamed(source.operation), source);
  const sheetsLeft = planned.kind === 'export' ? planned.sheetsLeft : [];
  const ledger = await openExpectedToRead(paths, clock);
  try {
    const all = await checkPlanned({ ledger, config, clock }, { opened, planned, source, limit });
    const isClean = all.refused.length === 0 && (all.dispositions?.invalid ?? 0) === 0;
    return { ...all, seen, sheetsLeft, isClean };
  } finally {
    if (ledger) await disconnect(ledger);
  }
}

/** A file that is opened and planned, for a source. */
interface PlannedFile {
  readonly opened: OpenedDrop;
  readonly planned: ReadingPlan;
  readonly source: SourceConfig;
  readonly limit: number;
}

/** What staging would make of a file; writes nothing. @param context its ledger is null where there is none yet. */
export async function checkPlanned(
  context: Pick<Workspace, 'config' | 'clock'> & { readonly ledger: Ledger | null },
  { opened, planned, source, limit }: PlannedFile,
): Promise<ReturnType<typeof together> & Pick<CheckedFile, 'refused'>> {
  const { ledger, config, clock } = context;
  const checked: CheckedSheet[] = [];
  let after: CheckedRows | undefined;
  const refused: Issue[] = [];
  for (const plan of await plansToCheck(opened, planned, ledger, config.sources, source)) {
    if (plan.kind === 'refused') {
      refused.push(...plan.issues);
      continue;
    }
    if (plan.kind === 'addresses') {
      checked.push({ ...(await checkAddresses(opened, plan, limit)), sheet: null });
      continue;
    }
    const isCorrection = plan.kind === 'redrop';
    const of = isCorrection ? plan.source : source;
    const operation = operationNamed(of.operation);
    const calls = config.environments[of.environment] ?? KNOWN_CALLS;
    const settings = { ledger, clock, source: of, operation, calls, limit };
    const drop = await checkDrop(opened, plan, isCorrection ? settings : { ...settings, after });
    after = drop.rows;
    if (drop.refusal !== null) {
      refused.push(drop.refusal);
      // As in staging: of a table over several sheets, no sheet is taken after a refused one.
      break;
    }
    checked.push({ ...drop, sheet: isCorrection || isAlone(planned) ? null : plan.sheet });
  }
  return { ...together(checked, refused, limit), refused };
}

/** One sheet of the file, by its name where the table covers several. */
interface CheckedSheet extends CheckedDrop {
  readonly sheet: string | null;
}

function isAlone(planned: ReadingPlan): boolean {
  return planned.kind !== 'export' || planned.further.length === 0;
}

/** How the file would be read, for a workbook of corrections sheet by sheet; or the issues why it can't be read. */
async function plansToCheck(
  opened: OpenedDrop,
  planned: ReadingPlan,
  ledger: Ledger | null,
  sources: readonly SourceConfig[],
  source: SourceConfig,
): Promise<readonly (Planned | RedropPlan | AddressPlan)[]> {
  if (planned.kind !== 'correction') {
    const known = await planAsKnown(ledger, source, planned);
    return known.kind === 'export' ? plansBySheet(known) : [known];
  }
  return Promise.all(
    planned.sheets.map((sheet) =>
      sheet.of === 'learners'
        ? planAddresses(opened, sheet, ledger)
        : planRedrop(opened, sheet, ledger, sources),
    ),
  );
}

/** What staging would make of the whole file. */
function together(checked: readonly CheckedSheet[], refused: readonly Issue[], limit: number) {
  const dispositions = noDispositions();
  for (const one of checked) {
    for (const name of DISPOSITIONS) dispositions[name] += one.dispositions[name];
  }
  const of = ({ sheet }: CheckedSheet) => (sheet === null ? {} : { sheet });
  const issues: readonly (Issue & { readonly sheet?: string; readonly line?: number })[] = [
    ...refused,
    ...checked.flatMap((one) => one.issues.slice(0, limit).map((issue) => ({ ...of(one), ...issue }))),
    ...checked.flatMap((one) => one.leftOutIssues.map((issue) => ({ ...of(one), ...issue }))),
  ];
  return {
    dispositions: checked.length === 0 ? null : dispositions,
    hiddenRows: checked.reduce((sum, one) => sum + one.hiddenRows, 0),
    issues: issues.slice(0, Math.max(limit, refused.length)),
    leftOut: checked.flatMap(({ leftOut }) => leftOut),
    records: checked
      .flatMap((one) => one.records.map((record) => ({ ...of(one), ...record })))
      .slice(0, limit),
    redrops: checked.flatMap(({ redrop }) => redrop ?? []),
  };
}
