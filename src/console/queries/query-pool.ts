import { Worker } from 'node:worker_threads';
import {
  answerQuery,
  type QueryName,
  type QueryRequest,
  type QueryResult,
} from '../../actions/browse/queries.js';
import type { ActionContext } from '../../actions/context.js';
import { OperatorError } from '../../domain/operator-error.js';

export type RunQuery = <Name extends QueryName>(
  name: Name,
  request: QueryRequest<Name>,
) => Promise<QueryResult<Name>>;

/** Queries that may take seconds on a large ledger run on their own thread, so that no page waits behind them. */
const SLOW_QUERIES: ReadonlySet<QueryName> = new Set<QueryName>([
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

export type QueryPool = ReturnType<typeof threadQueries>;

/**
 * Runs queries on threads beside the work: one for those that take milliseconds, one for those that may take seconds. Equal
 * queries under way share one answer.
 */
export function threadQueries(root: string) {
  const [short, long] = [queryThread(root), queryThread(root)];
  const underWay = new Map<string, Promise<unknown>>();
  return {
    query: ((name: QueryName, request: unknown) => {
      const key = JSON.stringify([name, request]);
      const same = underWay.get(key);
      if (same !== undefined) return same;
      const thread = SLOW_QUERIES.has(name) ? long : short;
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

export interface QueryMessage {
  readonly id: number;
  readonly name: QueryName;
  readonly request: never;
}

export type QueryAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: ReturnType<typeof serializeFailure> };

/** Starts a thread at the first query, and again after it broke. Needs the compiled program. @param root the workspace's folder. */
function queryThread(root: string) {
  let worker: Worker | null = null;
  let lastId = 0;
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const failAll = (error: Error) => {
    worker = null;
    for (const { reject } of open.values()) reject(error);
    open.clear();
  };
  const start = () => {
    const started = new Worker(new URL('./query-worker.js', import.meta.url), { workerData: root });
    started.on('message', (answer: QueryAnswer) => {
      const query = open.get(answer.id);
      open.delete(answer.id);
      if ('failure' in answer) query?.reject(deserializeFailure(answer.failure));
      else query?.resolve(answer.result);
    });
    started.on('error', failAll);
    started.on('exit', (code) => {
      if (worker === started) failAll(new Error(`the thread that reads the ledger ended with ${code}`));
    });
    // The server keeps the process alive, not this thread.
    started.unref();
    return started;
  };
  return {
    query(name: QueryName, request: unknown): Promise<unknown> {
      worker ??= start();
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        worker?.postMessage({ id, name, request });
      });
    },
    /** Later queries use the reloaded settings. */
    renew: () => worker?.postMessage('renew'),
    async close() {
      const ended = worker;
      failAll(new Error('the console ends'));
      await ended?.terminate();
    },
  };
}

/** An error as plain data, because threads lose error classes. `operator` is null for a bug. */
export function serializeFailure(error: unknown) {
  if (error instanceof OperatorError) {
    const { operation, subject, hint, exit, reason, message } = error;
    return { operator: { operation, subject, hint, exit, reason }, message, stack: '' };
  }
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { operator: null, message, stack };
}

function deserializeFailure({ operator, message, stack }: ReturnType<typeof serializeFailure>): Error {
  if (operator !== null) return new OperatorError({ ...operator, message });
  return Object.assign(new Error(message), { stack });
}
