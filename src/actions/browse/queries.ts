import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobName } from '../../config/values/job-name.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { collected } from '../../domain/process/series.js';
import { rowNamed } from '../../domain/selection.js';
import { type AuditQuery, readAuditLog } from '../../ledger/access/audit-log.js';
import { type FileSelection, fileFacts, listFiles } from '../../ledger/books/files/list-files.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { type DecisionListQuery, listDecisions, readDecision } from '../../ledger/decisions/decision-log.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { listRuns, type RunListQuery, runFacts } from '../../ledger/leases/runs.js';
import { openCauses } from '../../report/open-causes.js';
import { readPageFacts } from '../../report/page/facts.js';
import { overviewOf } from '../../report/status/overview.js';
import { environmentsOf, remoteStates } from '../../report/status/status.js';
import { type Trace, trace, traceDocument } from '../../report/trace/trace.js';
import { writeReport } from '../../report/write-report.js';
import { withContainerPath } from '../../staging/open-file.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { findUnmatched } from '../../upkeep/find-unmatched.js';
import { VERSION } from '../../version.js';
import { listTokens } from '../access/tokens.js';
import { listAlerts } from '../alerts/list-alerts.js';
import { check } from '../check.js';
import type { ActionContext } from '../context.js';
import { planRows } from '../correct/plan-row.js';
import type { VerbName } from '../decision/verb-facts.js';
import { doctor } from '../doctor/doctor.js';
import { checkDocument } from '../documents/inspect-document.js';
import { reportDocument } from '../documents/report-document.js';
import { readHealth } from '../health/read-health.js';
import { listUnknown, unknownLearners } from '../learners/unknown-learners.js';
import { loadVerb } from '../load-verb.js';
import { METRIC_PARTS } from '../monitor/read-metrics.js';
import { type ReportRequest, report } from '../report.js';
import { plan as planRun } from '../run/plan.js';
import { planNewSource } from '../setup/source.js';
import { status } from '../status.js';
import { trace as traceInFull } from '../trace.js';
import { checkUpload, waitingUploads } from '../uploads.js';
import { browseRows } from './browse-rows.js';
import { person, search } from './search.js';

type All = Readonly<Record<string, never>>;

/**
 * What pages and the HTTP interface read, each by its name. Every query takes plain values and gives plain values, so
 * that it can run on another thread; none writes anything. Most answers are personal.
 */
export const QUERIES = {
  pulse,
  overview,
  upload: checkUpload,
  waitingUploads: (context: ActionContext, _: All) => waitingUploads(context),
  inboxes: (context: ActionContext, _: All) =>
    planRun(context, { sources: [], confirmed: [], intake: true, push: false }),
  files: ({ ledger }: ActionContext, selection: FileSelection) => listFiles(ledger, selection),
  file: ({ ledger }: ActionContext, { drop }: { readonly drop: number }) => fileFacts(ledger, drop),
  doctor: (context: ActionContext, { asksPlatforms }: { readonly asksPlatforms: boolean }) => {
    const interrupt = { signal: new AbortController().signal };
    const request = { env: process.env, isOffline: !asksPlatforms, isDeep: false, interrupt };
    return collected(doctor(context, request));
  },

  // Needs attention
  openRows: async ({ ledger }: ActionContext, _: All) => (await readState(ledger, ['openRows'])).openRows,
  causes: async ({ ledger }: ActionContext, _: All) => {
    const { assignments, ...state } = await readState(ledger, ['causes', 'refusedFiles', 'assignments']);
    return { ...openCauses(state), assigned: assignments };
  },
  alerts: (context: ActionContext, _: All) => listAlerts(context, { workspace: null }),
  rows: browseRows,
  row: browseRow,
  search,
  person,
  learners: (
    context: ActionContext,
    { named, ...shown }: { readonly named: string | null; readonly from: number; readonly count: number },
  ) => listUnknown(context, named, shown),

  // What decisions would do: each is carried out as it was read.
  plan: async (
    context: ActionContext,
    { verb, request }: { readonly verb: VerbName; readonly request: unknown },
  ) => (await loadVerb(verb)).plan(context, request),
  rowsPlan: planRows,

  // The documents of the command line
  statusDocument: (context: ActionContext, _: All) => status(context, { workspace: null }),
  healthDocument: (context: ActionContext, _: All) => readHealth(context),
  reportDocument: async (context: ActionContext, request: Pick<ReportRequest, 'selection' | 'inboxes'>) =>
    reportDocument(await report(context, { ...request, files: null })),
  traceDocument: async (
    context: ActionContext,
    query: { readonly what: string; readonly searchAll: boolean },
  ) => {
    const traced = await traceInFull(context, { ...query, inFull: true });
    return { ...traceDocument(traced), kind: traced.kind };
  },
  checkDocument: checkSent,
  runPlan: planRun,
  unknownLearners: (context: ActionContext, _: All) => unknownLearners(context),

  // What was done, what is due, and under which settings
  runs: ({ ledger }: ActionContext, query: RunListQuery) => listRuns(ledger, query),
  run: ({ ledger }: ActionContext, { run }: { readonly run: number }) => runFacts(ledger, run),
  /** What a page shows of a report: no row, and no setting. */
  reportFacts: async (context: ActionContext, { selection }: { readonly selection: ReportSelection }) => {
    const { report: built } = await report(context, { selection, inboxes: false, files: null });
    const beside = { config: null, attentionFile: null, workbookFile: null, otherFiles: [] };
    return readPageFacts(context.ledger, built, beside);
  },
  reportFile,
  decisions: ({ ledger }: ActionContext, query: DecisionListQuery) => listDecisions(ledger, query),
  decision: (
    { ledger }: ActionContext,
    {
      decision,
      ...rows
    }: { readonly decision: number; readonly after: number | null; readonly limit: number },
  ) => readDecision(ledger, decision, rows),
  newSource: planNewSource,
  access: async (context: ActionContext, _: All) => ({
    tokens: await listTokens(context),
    signIns: (await readState(context.ledger, ['signIns'])).signIns,
  }),
  auditLog: ({ ledger }: ActionContext, query: AuditQuery) => readAuditLog(ledger, query),
  schedule: scheduleNow,
  versions: async ({ ledger }: ActionContext, _: All) => ({
    registrar: VERSION,
    node: process.versions.node,
    ...(await readState(ledger, ['versions'])).versions,
  }),
} as const;

export type Queries = typeof QUERIES;
export type QueryName = keyof Queries;

export type QueryRequest<Name extends QueryName> = Parameters<Queries[Name]>[1];

export type QueryResult<Name extends QueryName> = Awaited<ReturnType<Queries[Name]>>;

/** Answers a query on this thread. Throws OperatorError if the ledger was moved, deleted or replaced. */
export async function answerQuery<Name extends QueryName>(
  context: ActionContext,
  name: Name,
  request: QueryRequest<Name>,
): Promise<QueryResult<Name>> {
  requireInPlace(context.ledger);
  const query = QUERIES[name] as (
    context: ActionContext,
    request: QueryRequest<Name>,
  ) => Promise<QueryResult<Name>>;
  return await query(context, request);
}

/** A text that changes whenever something a person would notice changes in the ledger. */
async function pulse({ ledger, config }: ActionContext, _: All): Promise<string> {
  const { environments, work, alerts, ...counts } = await readState(ledger, METRIC_PARTS, {
    environments: environmentsOf(config),
  });
  // Time alone changes how long a pause lasts.
  const deliveries = environments.map(({ quota, ...facts }) => ({ ...facts, permits: quota.permits }));
  const open = [work.decisions.length, alerts.open.map(({ kind }) => kind)];
  return JSON.stringify([counts, deliveries, open]);
}

async function overview(context: ActionContext, _: All) {
  const unmatched = await findUnmatched(context);
  return overviewOf(context, { unmatched, health: await readHealth(context, unmatched) });
}

/**
 * The jobs of the schedule in its order, whether a service lives, the leases that processes hold now, and the remote
 * inboxes. Not personal.
 */
async function scheduleNow({ ledger, config }: ActionContext, _: All) {
  const parts = ['jobs', 'services', 'work', 'remoteInboxes'] as const;
  const { work, remoteInboxes, ...facts } = await readState(ledger, parts, {
    jobs: config.schedule.map(jobName),
  });
  return {
    ...facts,
    leases: work.leases.filter(({ isAlive }) => isAlive),
    remoteInboxes: remoteStates(remoteInboxes, config.sources),
  };
}

/** A row usually has one of each. Beyond this the page shows cells only. */
const MAX_EXPLAINED = 8;

/**
 * The life of a row or a submission: `#17`, `17`, `3:217` (a drop's number and a line) or `march.csv:217`. Learners
 * and keys aren't looked up. Without `isExplained` how each field came about is left out, which may need all rows of
 * the drop. null: the text names none of these, or nothing that is there.
 */
async function browseRow(
  { ledger, config }: ActionContext,
  { what, isExplained = true }: { readonly what: string; readonly isExplained?: boolean },
): Promise<Trace | null> {
  const named = rowNamed(what);
  if (named === null) return null;
  const query = { what: typeof named === 'number' ? `#${named}` : what, learners: null, searchAll: false };
  const traced = await trace(ledger, config, query, isExplained ? MAX_EXPLAINED : 0);
  return traced.kind === null && traced.remarks.length === 0 ? null : traced;
}

/** What staging would make of a file sent by a program. Our temporary path is left out of the answer. */
async function checkSent(
  context: ActionContext,
  sent: { readonly path: string; readonly name: string; readonly source: string; readonly limit: number },
) {
  const { path, name, source, limit } = sent;
  try {
    return checkDocument(await check(context, { file: path, source, limit }));
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
    throw withContainerPath(error, path, name);
  }
}

interface ReportFileRequest {
  readonly selection: ReportSelection;
  readonly format: 'xlsx' | 'json' | 'html';
}

/**
 * Writes a report's file into a temporary folder for this user alone; the caller removes it. Throws OperatorError where no row is
 * for a sender or an administrator: then there is no workbook. Personal.
 */
async function reportFile(context: ActionContext, { selection, format }: ReportFileRequest) {
  const { report: built } = await report(context, { selection, inboxes: false, files: null });
  const folder = await mkdtemp(join(tmpdir(), 'registrar-report-'));
  try {
    const { config, ledger } = context;
    const written = await writeReport(ledger, built, folder, [format], config);
    const paths = { json: join(written.folder, 'report.json'), html: written.page, xlsx: written.workbook };
    const path = paths[format];
    if (path === null) throw NOTHING_TO_CORRECT;
    return { folder, path };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const NOTHING_TO_CORRECT = errorsOf('write the correction workbook')(
  'the report',
  'no row in this report is for a sender or an administrator, so it has no correction workbook',
  'Its rows are in the CSV files and in the API.',
);
