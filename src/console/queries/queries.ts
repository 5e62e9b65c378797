import type { QueryName, QueryRequest, QueryResult } from '../../actions/browse/queries.js';

/** Runs a query. Throws OperatorError where the query does, or where too many wait already. */
export type RunQuery = <Name extends QueryName>(
  name: Name,
  request: QueryRequest<Name>,
) => Promise<QueryResult<Name>>;

/** Queries that may take seconds on a large ledger: they have a thread of their own, so that no page waits behind them. */
export const LONG_QUERIES: ReadonlySet<QueryName> = new Set<QueryName>([
  'doctor',
  'upload',
  'newSource',
  'plan',
  'rowsPlan',
  'row',
  'learners',
  'checkDocument',
  'reportDocument',
  'runPlan',
  'traceDocument',
  'unknownLearners',
  'reportFacts',
  'reportFile',
]);
