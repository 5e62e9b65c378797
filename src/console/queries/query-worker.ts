import { parentPort, workerData } from 'node:worker_threads';
import { answerQuery, type QueryName } from '../../actions/browse/queries.js';
import { type ActionContext, closeWorkspace, openToRead, readWorkspace } from '../../actions/context.js';
import { OperatorError } from '../../domain/operator-error.js';
import { sentFailure } from './failure.js';
import type { QueryAnswer, QueryRequest } from './query-thread.js';

/** The worker thread of `query-thread`: it has its own connection to the ledger, which only reads. */
const root = workerData as string;
let opened: Opened | null = null;

interface Opened {
  readonly context: Promise<ActionContext>;
  users: number;
}

parentPort?.on('message', async ({ id, name, request }: QueryRequest) => {
  parentPort?.postMessage(await answered(id, name, request));
});

async function answered(id: number, name: QueryName, request: never): Promise<QueryAnswer> {
  opened ??= toOpen();
  const own = opened;
  own.users += 1;
  try {
    return { id, result: await answerQuery(await own.context, name, request) };
  } catch (error) {
    // A restored ledger, or a disk that works again, needs a new connection.
    if (opened === own && !(error instanceof OperatorError && error.exit === 'usage')) opened = null;
    return { id, failure: sentFailure(error) };
  } finally {
    own.users -= 1;
    // Another query may still read by it.
    if (opened !== own && own.users === 0) await own.context.then(closeWorkspace, () => {});
  }
}

function toOpen(): Opened {
  const own = { context: open(), users: 0 };
  // What can't be opened now is tried again for the next query.
  own.context.catch(() => {
    if (opened === own) opened = null;
  });
  return own;
}

async function open(): Promise<ActionContext> {
  const context = await openToRead(readWorkspace(root, { env: process.env, cwd: root }, 'unused'));
  if (context !== null) return context;
  throw new OperatorError({
    operation: 'open the ledger',
    subject: root,
    message: 'there is no ledger yet',
    hint: 'The first registrar run makes it.',
  });
}
