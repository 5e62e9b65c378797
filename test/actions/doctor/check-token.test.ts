import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkToken } from '../../../src/actions/doctor/check-environments.js';
import { environmentSchema } from '../../../src/config/schema/environment-schema.js';
import type { EnvironmentConfig } from '../../../src/config/schema.js';
import { type Clock, systemClock } from '../../../src/domain/clock.js';
import type { Gate } from '../../../src/domain/environment/gate.js';
import { startSandbox } from '../../../src/sandbox/server.js';

const PERMIT = {
  mayLeave: () => true,
  answered: async () => 1,
  throttled: async () => 1,
  lost: async () => {},
  unused: async () => {},
};

/** A gate that lets everything through; `FULL` gives no permit, and null once the signal is aborted. */
const OPEN: Gate = { acquire: async () => PERMIT };
const FULL: Gate = {
  acquire: async (_purpose, _deadlineMs, signal) =>
    new Promise((resolve) => signal?.addEventListener('abort', () => resolve(null), { once: true })),
};

async function examined(gate: Gate, clock: Clock, authUrl?: string) {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  const environment: EnvironmentConfig = environmentSchema.parse({
    baseUrl: sandbox.url,
    authUrl: authUrl ?? sandbox.url,
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
  });
  const interrupt = new AbortController().signal;
  const found = [];
  const checks = checkToken({ name: 'main', environment, clock, gate }, ['completions:write'], interrupt);
  for await (const { check, verdict, message, remedy } of checks)
    found.push(`${verdict} ${check}: ${message}${remedy && verdict === 'broken' ? `. ${remedy}` : ''}`);
  return found;
}

it('a token host that issues a token passes', async () => {
  expect(await examined(OPEN, systemClock())).toEqual(['ok token: gives a token for completions:write']);
});

it('a used-up quota is waited for, but not forever', async () => {
  const sleeps: number[] = [];
  const impatient = {
    ...systemClock(),
    sleep: async (ms: number) => {
      sleeps.push(ms);
    },
  };
  expect(await examined(FULL, impatient)).toEqual(['attention token: was not checked: its quota is in use']);
  expect(sleeps).toEqual([60_000]);
});

it('a token host that closes the connection is reported with what that usually means', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const found = await examined(OPEN, systemClock(), `https://127.0.0.1:${port}`);
  expect(found).toEqual([
    expect.stringMatching(
      /^broken token: .*credentials of environments\.main likely don't belong to this one/,
    ),
  ]);
});
