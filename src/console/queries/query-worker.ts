import { parentPort, workerData } from 'node:worker_threads';
import { type ActionContext, closeWorkspace, openToRead, readWorkspace } from '../../actions/context.js';
import { OperatorError } from '../../domain/operator-error.js';
import { sentFailure } from './failure.js';
import { answerQuery, type QueryName } from './queries.js';
import type { Answered, Asked } from './query-thread.js';

/** The worker thread of `query-thread`: it has its own connection to the ledger, which only reads. */
const root = workerData as string;
let opened: ActionContext | null = null;

parentPort?.on('message', async ({ id, name, request }: Asked) => {
  parentPort?.postMessage(await answered(id, name, request));
});

async function answered(id: number, name: QueryName, request: never): Promise<Answered> {
  try {
    opened ??= await open();
    return { id, result: await answerQuery(opened, name, request) };
  } catch (error) {
    // A ledger that was put back, or a disk that works again, is met by a new connection.
    if (opened !== null && !(error instanceof OperatorError && error.exit === 'usage')) close();
    return { id, failure: sentFailure(error) };
  }
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

function close(): void {
  if (opened !== null) closeWorkspace(opened);
  opened = null;
}
