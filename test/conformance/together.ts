import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { ACCEPTED, answerOf } from '../support/staged-ledger.js';
import type { Engine } from './engines.js';
import type { TaskMessage } from './other-process.js';
import { waitingFilter } from './selection-of.js';
import { fileOf, publishedDrop } from './staged-drop.js';
import { type Tasks, taskRunner } from './tasks.js';
import { runUnderWay } from './under-way.js';

const PROGRAM = fileURLToPath(new URL('../../dist/test/conformance/other-process.js', import.meta.url));

type InputOf<Task extends keyof Tasks> = Parameters<Tasks[Task]>[0];
type ResultOf<Task extends keyof Tasks> = Awaited<ReturnType<Tasks[Task]>>;

/** Has this process and another one do one thing at once. @param inputs the input of each. */
export async function together<Task extends keyof Tasks>(
  address: string,
  task: Task,
  ...[own, others]: readonly [InputOf<Task>, InputOf<Task>]
): Promise<ResultOf<Task>[]> {
  const [carryOut, opened] = await Promise.all([taskRunner(address), send({ address })]);
  expect(opened).toBe('ready');
  const [message, result] = await Promise.all([send({ task, input: others }), carryOut(task, own)]);
  return [result, (message as { result: ResultOf<Task> }).result];
}

/** The reply of the other process. */
async function send(what: TaskMessage): Promise<unknown> {
  other ??= startedProcess();
  other.send(what);
  const [message] = await once(other, 'message');
  return message;
}

/** Started once for all tests: it loads what takes longer than most of its tasks. */
let other: ChildProcess | undefined;

function startedProcess(): ChildProcess {
  const child = fork(PROGRAM);
  child.once('exit', (code) => code !== 0 && console.error(`the other process ended with ${code}`));
  return child;
}

export async function endProcess(): Promise<void> {
  if (other === undefined) return;
  other.disconnect();
  await once(other, 'exit');
  other = undefined;
}

/** Each takes several transactions: enough that the processes come in between. */
const ROWS = 15;

/** Two processes import the same records. */
export async function areImportedOnce({ open }: Engine): Promise<void> {
  const { ledger, address } = await open();
  const rows = Array.from({ length: ROWS }, (_, n) => ({ user: `u${n}@x.example` }));
  const [one, other] = [await fileOf(ledger, 'a.csv'), await fileOf(ledger, 'b.csv')];
  await together(address, 'importFiles', { file: one, rows }, { file: { ...other, source: 'sales' }, rows });
  const { dispositions, states, imbalances } = await readBooks(ledger, {});
  expect([dispositions.staged, dispositions.duplicate, states.waiting]).toEqual([ROWS, ROWS, ROWS]);
  expect(imbalances).toEqual([]);
}

/** Two processes send the same rows. */
export async function areSentOnce({ open }: Engine): Promise<void> {
  const { ledger, address } = await open();
  const rows = Array.from({ length: ROWS }, (_, n) => ({ user: `u${n}@x.example` }));
  await publishedDrop(ledger, 'a.csv', rows);
  const input = { runId: await runUnderWay(ledger), answer: answerOf(ACCEPTED) };
  const delivered = (await together(address, 'deliver', input, input)).flat();
  expect([delivered.length, new Set(delivered).size]).toEqual([ROWS, ROWS]);
  const { attempts, states, imbalances } = await readBooks(ledger, {});
  expect([attempts.total, attempts.open, states.accepted, imbalances]).toEqual([ROWS, 0, ROWS, []]);
}

/** Two processes carry out the same decision. */
export async function isCarriedOutOnce({ open }: Engine): Promise<void> {
  const { ledger, address } = await open();
  // More than one transaction moves.
  const rows = Array.from({ length: 510 }, (_, n) => ({ user: `u${n}@x.example` }));
  await publishedDrop(ledger, 'a.csv', rows);
  const { decisionId } = await openDecision(ledger, {
    who: decider('ada'),
    because: 'asked',
    kind: 'dismiss',
    selection: {},
    filter: await waitingFilter(ledger),
    refusals: [],
  });
  const whole = { moved: rows.length, made: 0, resolved: 0 };
  expect(await together(address, 'dismiss', { decisionId }, { decisionId })).toEqual([whole, whole]);
  const { states, imbalances } = await readBooks(ledger, {});
  expect([states.dismissed, states.waiting, imbalances]).toEqual([rows.length, 0, []]);
}
