import {
  answerQuery,
  type QueryName,
  type QueryRequest,
  type QueryResult,
} from '../../actions/browse/queries.js';
import type { ActionContext } from '../../actions/context.js';
import { OperatorError } from '../../domain/operator-error.js';
import { queryThread } from './query-thread.js';

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

export interface QueryPool {
  readonly query: RunQuery;
  /** Settings were reloaded: later queries see them. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** More waiting readers than a thread answers in a few seconds. */
const MAX_WAITING = 500;

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
      if (thread.waiting() >= MAX_WAITING) return Promise.reject(tooMany());
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

function tooMany(): OperatorError {
  return new OperatorError({
    operation: 'read the ledger',
    subject: 'the console',
    message: `${MAX_WAITING} readings wait already`,
    hint: 'Try again in some seconds.',
    exit: 'unavailable',
  });
}
