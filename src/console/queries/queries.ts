import { browseFile, browseFiles } from '../../actions/browse/files.js';
import { overview } from '../../actions/browse/overview.js';
import { pulse } from '../../actions/browse/pulse.js';
import type { ActionContext } from '../../actions/context.js';
import { doctor } from '../../actions/doctor/doctor.js';
import type { Finding } from '../../actions/doctor/finding.js';
import { plan } from '../../actions/run/plan.js';
import { checkUpload } from '../../actions/uploads.js';
import { ATTENTION_QUERIES } from './attention-queries.js';
import { BOOK_QUERIES } from './book-queries.js';
import { DECISION_QUERIES } from './decision-queries.js';
import { DOCUMENT_QUERIES } from './document-queries.js';
/**
 * What pages and the HTTP interface read, each by its name. Every query takes plain values and gives plain values, so that it can be
 * asked on another thread; none writes anything.
 */
export const QUERIES = {
  pulse: (context: ActionContext, _request: Readonly<Record<string, never>>) => pulse(context),
  overview: (context: ActionContext, _request: Readonly<Record<string, never>>) => overview(context),
  upload: checkUpload,
  inboxes: (context: ActionContext, _request: Readonly<Record<string, never>>) =>
    plan(context, { sources: [], confirmed: [], intake: true, push: false }),
  files: browseFiles,
  file: browseFile,
  doctor: async (context: ActionContext, { asksPlatforms }: { readonly asksPlatforms: boolean }) => {
    const interrupt = { signal: new AbortController().signal };
    const request = { env: process.env, isOffline: !asksPlatforms, isDeep: false, interrupt };
    const findings: Finding[] = [];
    for await (const finding of doctor(context, request)) findings.push(finding);
    return findings;
  },
  ...ATTENTION_QUERIES,
  ...DECISION_QUERIES,
  ...DOCUMENT_QUERIES,
  ...BOOK_QUERIES,
} as const;

export type Queries = typeof QUERIES;
export type QueryName = keyof Queries;

/** What a query is asked with. */
export type QueryRequest<Name extends QueryName> = Parameters<Queries[Name]>[1];

/** What a query gives. */
export type QueryResult<Name extends QueryName> = Awaited<ReturnType<Queries[Name]>>;

/** Asks a query. Throws OperatorError where the query does, or where too many wait already. */
export type Ask = <Name extends QueryName>(
  name: Name,
  request: QueryRequest<Name>,
) => Promise<QueryResult<Name>>;

/** Queries that may take seconds on a large ledger: they have a thread of their own, so that no page waits behind them. */
export const LONG_QUERIES: ReadonlySet<QueryName> = new Set<QueryName>([
  'doctor',
  'upload',
  'rerunPlan',
  'dismissPlan',
  'mapPlan',
  'restagePlan',
  'correctPlan',
  'row',
  'learners',
  'checkDocument',
  'reportDocument',
  'runPlan',
  'traceDocument',
  'unknownLearners',
  'reportPage',
  'maskedReportPage',
  'reportFile',
]);

/** Answers a query on this thread. */
export function answerQuery<Name extends QueryName>(
  context: ActionContext,
  name: Name,
  request: QueryRequest<Name>,
): Promise<QueryResult<Name>> {
  const query = QUERIES[name] as (context: ActionContext, request: QueryRequest<Name>) => unknown;
  return query(context, request) as Promise<QueryResult<Name>>;
}
