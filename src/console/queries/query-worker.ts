import { parentPort, workerData } from 'node:worker_threads';
import { answerQuery } from '../../actions/browse/queries.js';
import { type ActionContext, closeWorkspace, openReadOnly, readWorkspace } from '../../actions/context.js';
import { errorsOf } from '../../domain/operator-error.js';
import { type QueryAnswer, type QueryMessage, serializeFailure } from './query-pool.js';

/** The worker thread of `query-pool`: it has its own connection to the ledger, which only reads. */
const root = workerData as string;
type Opened = { readonly context: Promise<ActionContext>; users: number };

let opened: Opened | null = null;

parentPort?.on('message', async (message: QueryMessage | 'renew') => {
  if (message === 'renew') leave(opened);
  else parentPort?.postMessage(await answered(message));
});

async function answered({ id, name, request }: QueryMessage): Promise<QueryAnswer> {
  opened ??= { context: open(), users: 0 };
  const own = opened;
  own.users += 1;
  try {
    return { id, result: await answerQuery(await own.context, name, request) };
  } catch (error) {
    // A restored ledger, or a disk that works again, needs a new connection.
    leave(own);
    return { id, failure: serializeFailure(error) };
  } finally {
    own.users -= 1;
    closeUnused(own);
  }
}

function leave(own: Opened | null): void {
  if (own === null || opened !== own) return;
  opened = null;
  closeUnused(own);
}

/** Other queries may still use it. */
function closeUnused(own: Opened): void {
  if (opened !== own && own.users === 0) void own.context.then(closeWorkspace, () => {});
}

async function open(): Promise<ActionContext> {
  const context = await openReadOnly(readWorkspace(root, { env: process.env, cwd: root }, 'unused'));
  if (context !== null) return context;
  throw errorsOf('open the ledger')(root, 'there is no ledger yet', 'The first registrar run creates it.');
}
