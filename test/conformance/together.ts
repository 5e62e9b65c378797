import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { ACCEPTED, answerOf } from '../support/staged-ledger.js';
import type { Engine } from './engines.js';
import type { Tasks, Told } from './other-process.js';
import { waitingFilter } from './selected.js';
import { fileOf, publishedDrop } from './staged-drop.js';
import { runUnderWay } from './under-way.js';

const PROGRAM = fileURLToPath(new URL('../../dist/test/conformance/other-process.js', import.meta.url));

type InputOf<Task extends keyof Tasks> = Parameters<Tasks[Task]>[0];
type ResultOf<Task extends keyof Tasks> = Awaited<ReturnType<Tasks[Task]>>;

/** Has two processes do one thing at once. @param inputs the input of each. */
export async function together<Task extends keyof Tasks>(
  address: string,
  task: Task,
  ...inputs: readonly [InputOf<Task>, InputOf<Task>]
): Promise<ResultOf<Task>[]> {
  const opened = await Promise.all(processes().map((child) => told(child, { address })));
  expect(opened).toEqual(['ready', 'ready']);
  const given = inputs.map((one, n) => told(processes()[n], { task, asked: one }));
  return (await Promise.all(given)).map((message) => (message as { result: ResultOf<Task> }).result);
}

/** What a process answers. */
async function told(child: ChildProcess | undefined, what: Told): Promise<unknown> {
  if (child === undefined) throw new Error('there is no such process');
  child.send(what);
  const [message] = await once(child, 'message');
  return message;
}

const started: ChildProcess[] = [];

/** The two processes, started once for all tests: each loads what takes longer than most of its commands. */
function processes(): readonly ChildProcess[] {
  while (started.length < 2) {
    const child = fork(PROGRAM);
    child.once('exit', (code) => code !== 0 && console.error(`another process ended with ${code}`));
    started.push(child);
  }
  return started;
}

export async function endProcesses(): Promise<void> {
  for (const child of started.splice(0)) {
    child.disconnect();
    await once(child, 'exit');
  }
}

/** Two processes import the same records. */
export async function areImportedOnce({ open }: Engine): Promise<void> {
  const { ledger, address } = await open();
  const rows = Array.from({ length: 30 }, (_, n) => ({ user: `u${n}@x.example` }));
  const [one, other] = [await fileOf(ledger, 'a.csv'), await fileOf(ledger, 'b.csv')];
  await together(address, 'importFiles', { file: one, rows }, { file: { ...other, source: 'sales' }, rows });
  const { dispositions, states, imbalances } = await readBooks(ledger, {});
  expect([dispositions.staged, dispositions.duplicate, states.waiting]).toEqual([30, 30, 30]);
  expect(imbalances).toEqual([]);
}

/** Two processes send the same rows. */
export async function areSentOnce({ open }: Engine): Promise<void> {
  const { ledger, address } = await open();
  const rows = Array.from({ length: 40 }, (_, n) => ({ user: `u${n}@x.example` }));
  await publishedDrop(ledger, 'a.csv', rows);
  const asked = { runId: await runUnderWay(ledger), answer: answerOf(ACCEPTED) };
  const delivered = (await together(address, 'deliver', asked, asked)).flat();
  expect([delivered.length, new Set(delivered).size]).toEqual([40, 40]);
  const { attempts, states, imbalances } = await readBooks(ledger, {});
  expect([attempts.total, attempts.open, states.accepted, imbalances]).toEqual([40, 0, 40, []]);
}

/** Two processes carry the same decision out. */
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
