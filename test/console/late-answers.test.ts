import { expect, it } from 'vitest';
import type { QueryName } from '../../src/actions/browse/queries.js';
import type { RunQuery } from '../../src/console/queries/query-pool.js';
import { inProcessQueries } from '../../src/console/queries/query-pool.js';
import { systemClock } from '../../src/domain/clock.js';
import { OperatorError } from '../../src/domain/operator-error.js';
import { actionContext } from '../support/action-context.js';
import { browsedLedger } from '../support/browsed-ledger.js';
import { testConsole } from '../support/console.js';
import { testLedger } from '../support/staged-ledger.js';

const SLOW: readonly QueryName[] = ['overview', 'learners', 'reportFacts'];

/** A console that answers slow queries once `answer` is called, or fails with the given error. */
async function lateConsole() {
  const ledger = await browsedLedger();
  const context = actionContext(ledger);
  const pool = inProcessQueries(() => context);
  let answer: (failure?: Error) => void = () => {};
  const answered = new Promise<Error | undefined>((resolve) => {
    answer = resolve;
  });
  const query = async (name: QueryName, request: never) => {
    const failure = SLOW.includes(name) ? await answered : undefined;
    if (failure !== undefined) throw failure;
    return pool.query(name, request);
  };
  const served = await testConsole(() => context, { queryPool: { ...pool, query: query as RunQuery } });
  return { ...served, answer: (failure?: Error) => answer(failure) };
}

/** The first piece of an answer, and a way to read the others. */
async function inPieces(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  const rest = async () => {
    let text = '';
    for (let piece = await reader?.read(); !piece?.done; piece = await reader?.read()) text += piece?.value;
    return text;
  };
  return { first: first?.value ?? '', rest };
}

const PAGES = [
  { path: '/', begins: '<h1>Overview</h1>' },
  { path: '/learners', begins: 'Map many at once' },
  { path: '/files/1', begins: '<h1>' },
  { path: '/runs/1', begins: '<h1>Run 1</h1>' },
  { path: '/report', begins: 'Report to pass on' },
] as const;

it.each(PAGES)('$path begins before a large ledger has answered', async ({ path, begins }) => {
  const { url, answer } = await lateConsole();
  const response = await fetch(new URL(path, url));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  const { first, rest } = await inPieces(response);
  expect(first).toContain(begins);
  answer();
  const page = first + (await rest());
  expect(page.match(/<!doctype html>|<main|<\/main>|<\/html>/g)).toEqual([
    '<!doctype html>',
    '<main',
    '</main>',
    '</html>',
  ]);
  expect(page).not.toContain('undefined');
});

it.each(PAGES)('$path names a failure after it has begun', async ({ path }) => {
  const { url, answer, failures } = await lateConsole();
  const { first, rest } = await inPieces(await fetch(new URL(path, url)));
  const message = 'the disk is full';
  answer(new OperatorError({ operation: 'read', subject: 'it', message, hint: 'Make room.', exit: 'io' }));
  const page = first + (await rest());
  expect(page).toContain('The disk is full. Make room.');
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page).toContain('</main>');
  expect(failures).toEqual([]);
});

it('a bug after a page has begun is logged once, and not shown', async () => {
  const { url, answer, failures } = await lateConsole();
  const { rest } = await inPieces(await fetch(url));
  const bug = new Error('ada@example.com broke it');
  answer(bug);
  const text = await rest();
  expect(text).toContain('This is a bug in Registrar');
  expect(text).not.toContain('ada@example.com');
  expect(failures).toEqual([bug]);
});

it('a failure after the browser has gone breaks nothing', async () => {
  const { url, answer } = await lateConsole();
  const over = new AbortController();
  await inPieces(await fetch(url, { signal: over.signal }));
  over.abort();
  answer(new Error('too late'));
  expect((await fetch(new URL('/settings', url))).status).toBe(200);
});

it('without a ledger a page has the status of its failure', async () => {
  const context = actionContext(testLedger(systemClock()));
  const away = new OperatorError({ operation: 'read', subject: 'it', message: 'no', hint: '', exit: 'io' });
  const query = (() => Promise.reject(away)) as RunQuery;
  const queryPool = { ...inProcessQueries(() => context), query };
  const { url } = await testConsole(() => context, { queryPool });
  const statuses = await Promise.all(PAGES.map(async ({ path }) => (await fetch(new URL(path, url))).status));
  expect(statuses).toEqual(PAGES.map(() => 503));
});
