import { expect, it } from 'vitest';
import type { QueryName } from '../../src/actions/browse/queries.js';
import { type Asker, askHere } from '../../src/console/queries/asker.js';
import type { Ask } from '../../src/console/queries/queries.js';
import { systemClock } from '../../src/domain/clock.js';
import { OperatorError } from '../../src/domain/operator-error.js';
import { actionContext } from '../support/action-context.js';
import { testConsole } from '../support/console.js';
import { testLedger } from '../support/staged-ledger.js';

/** A console whose ledger answers nothing until `answer` is called; given an error, it answers with that. */
async function lateConsole() {
  const context = actionContext(testLedger(systemClock()));
  const here = askHere(() => context);
  let answer: (failure?: Error) => void = () => {};
  const until = new Promise<Error | undefined>((resolve) => {
    answer = resolve;
  });
  const ask = async (name: QueryName, request: never) => {
    const failure = await until;
    if (failure !== undefined) throw failure;
    return here.ask(name, request);
  };
  const asker: Asker = { ...here, ask: ask as Ask };
  return { ...(await testConsole(() => context, { asker })), answer: (failure?: Error) => answer(failure) };
}

/** What comes first of an answer, and what comes behind it. */
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
  { path: '/', head: '<h1>Overview</h1>' },
  { path: '/attention', head: '<h1>Needs attention</h1>' },
  { path: '/attention/rows?states=rejected', head: '<h1>Rows</h1>' },
  { path: '/learners', head: '<h1>Learners the platform doesn’t know</h1>' },
  { path: '/doctor', head: '<h1>Doctor</h1>' },
  { path: '/report', head: 'Back to the console' },
] as const;

it.each(PAGES)('$path begins before the ledger has answered', async ({ path, head }) => {
  const { url, answer } = await lateConsole();
  const response = await fetch(new URL(path, url));
  expect([response.status, response.headers.get('content-type')?.toLowerCase()]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const { first, rest } = await inPieces(response);
  expect(first).toContain(head);
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

it.each(PAGES)('$path tells of what failed after it began', async ({ path }) => {
  const { url, answer, failures } = await lateConsole();
  const response = await fetch(new URL(path, url));
  const { first, rest } = await inPieces(response);
  const message = 'the disk is full';
  answer(new OperatorError({ operation: 'read', subject: 'it', message, hint: 'Make room.', exit: 'io' }));
  const page = first + (await rest());
  expect(page).toContain('The disk is full. Make room.');
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page).toContain('</main>');
  expect(failures).toEqual([]);
});

it('a fault that shows after a page began is logged, and not shown', async () => {
  const { url, answer, failures } = await lateConsole();
  const { rest } = await inPieces(await fetch(url));
  const fault = new Error('ada@example.com broke it');
  answer(fault);
  const text = await rest();
  expect(text).toContain('Something went wrong');
  expect(text).not.toContain('ada@example.com');
  expect(failures).toEqual([fault]);
});

it('a browser that went away before the rest came breaks nothing', async () => {
  const { url, answer } = await lateConsole();
  const over = new AbortController();
  await inPieces(await fetch(url, { signal: over.signal }));
  over.abort();
  answer(new Error('nobody waits for it'));
  expect((await fetch(new URL('/settings', url))).status).toBe(500);
});

it('what is known at once has the status of its outcome', async () => {
  const { url, answer } = await lateConsole();
  answer(new OperatorError({ operation: 'read', subject: 'it', message: 'no', hint: '', exit: 'io' }));
  expect(await Promise.all(PAGES.map(async ({ path }) => (await fetch(new URL(path, url))).status))).toEqual(
    PAGES.map(() => 503),
  );
});
