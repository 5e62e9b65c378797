import {
  answerQuery,
  type QueryName,
  type QueryRequest,
  type QueryResult,
} from '../../actions/browse/queries.js';
import type { ActionContext } from '../../actions/context.js';
import { queryThread } from './query-thread.js';

/** Runs a query. Throws OperatorError where the query does. */
export type RunQuery = <Name extends QueryName>(
  name: Name,
  request: QueryRequest<Name>,
) => Promise<QueryResult<Name>>;

/** Queries that may take seconds on a large ledger: they have a thread of their own, so that no page waits behind them. */
const LONG_QUERIES: ReadonlySet<QueryName> = new Set<QueryName>([
  'doctor',
  'upload',
  'newSource',
  'plan',
  'rowsPlan',
  'row',
  'learners',
  'search',
  'checkDocument',
  'reportDocument',
  'runPlan',
  'traceDocument',
  'unknownLearners',
  'reportFacts',
  'reportFile',
]);

export interface QueryPool {
  readonly query: RunQuery;
  /** Settings were reloaded: later queries see them. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs queries on threads beside the work: one for those that take milliseconds, one for those that may take seconds. Equal
 * queries under way share one answer.
 */
export function threadQueries(root: string): QueryPool {
  const [short, long] = [queryThread(root), queryThread(root)];
  const underWay = new Map<string, Promise<unknown>>();
  return {
    query: ((name: QueryName, request: unknown) => {
      const key = JSON.stringify([name, request]);
      const same = underWay.get(key);
      if (same !== undefined) return same;
      const thread = LONG_QUERIES.has(name) ? long : short;
      const pending = thread.query(name, request).finally(() => underWay.delete(key));
      underWay.set(key, pending);
      return pending;
    }) as RunQuery,
    async renew() {
      underWay.clear();
      short.renew();
      long.renew();
    },
    async close() {
      await Promise.all([short.close(), long.close()]);
    },
  };
}

/** Answers queries on this thread and connection, for where threads can't be started. */
export function inProcessQueries(context: () => ActionContext): QueryPool {
  return {
    query: (name, request) => answerQuery(context(), name, request),
    async renew() {},
    async close() {},
  };
}
