import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import type { Gate } from '../../src/domain/environment/gate.js';
import type { PlatformRequest } from '../../src/platform/calls/platform-call.js';
import { createPlatformClient } from '../../src/platform/client.js';
import { createTokenSource } from '../../src/platform/token.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { type SandboxServerOptions, startSandbox } from '../../src/sandbox/server.js';
import { COMPLETION, environmentAt, MAY_LEAVE, permitTelling } from './fixtures.js';

const open: Gate = {
  acquire: async () => permitTelling([]),
};

async function connect(options: SandboxServerOptions = {}, more: Record<string, unknown> = {}) {
  const sandbox = await startSandbox(options);
  const environment = environmentAt(sandbox.url, { clientSecret: 'sandbox-secret', ...more });
  const client = createPlatformClient(environment, systemClock());
  const tokens = createTokenSource({ environment, gate: open, clock: systemClock() });
  onTestFinished(async () => {
    await client.close();
    await tokens.close();
    await sandbox.close();
  });
  const send = async (request: PlatformRequest = COMPLETION) => {
    const result = await tokens.get('completions:write');
    return 'token' in result ? client.send(request, result.token, MAY_LEAVE) : result;
  };
  return { sandbox, tokens, send };
}

it('a completion is accepted with the id the platform gave it', async () => {
  const { sandbox, send } = await connect();
  const answer = await send();
  expect(answer.outcome).toEqual({ kind: 'accepted', platformId: 'completion-1' });
  expect(answer).toMatchObject({
    response: { headers: { 'x-rate-limit-limit': '1m', 'x-rate-limit-remaining': '68' } },
  });
  expect(sandbox.platform.completions()).toHaveLength(1);
});

it('an unknown learner is refused without the person in the reason, and kept in the body', async () => {
  const { send } = await connect({ learners: { unknown: ['ada@example.org'] } });
  const answer = await send();
  expect(answer.outcome).toEqual({
    kind: 'rejected',
    cause: 'learner-unknown',
    reason: 'bad-request: Invalid user identifier',
  });
  expect(answer).toMatchObject({ response: { error: { source: 'ada@example.org' } } });
});

it('over the quota it is throttled, with the wait and the quota named', async () => {
  const { send } = await connect({ quota: { requests: 2, perMs: 60_000 } });
  await send();
  expect((await send()).outcome).toMatchObject({
    kind: 'throttled',
    retryAfterMs: 61_000,
    quota: { requests: 2, per: '1m' },
  });
});

it('wrong credentials stop the operation', async () => {
  const { send } = await connect({}, { clientSecret: 'a-wrong-one' });
  expect((await send()).outcome).toMatchObject({ kind: 'stop', stops: 'operation' });
});

it('a token that ended early is refused once and replaced', async () => {
  const { send, tokens } = await connect({ faults: parseFaults('unauthorized@1') });
  expect((await send()).outcome).toMatchObject({ kind: 'stop', stops: 'token' });
  const old = await tokens.get('completions:write');
  if ('token' in old) tokens.refuse(old.token);
  expect((await send()).outcome.kind).toBe('accepted');
});

it.each([
  ['server-error@1', { kind: 'transient', mayBeWritten: true }, 0],
  ['bad-gateway@1', { kind: 'transient', mayBeWritten: true }, 0],
  ['throttle@1', { kind: 'throttled', retryAfterMs: 2000 }, 0],
  ['drop-before@1', { kind: 'unknown' }, 0],
  ['drop-after@1', { kind: 'unknown' }, 1],
  ['html@1', { kind: 'stop', stops: 'environment' }, 0],
  ['forbidden@1', { kind: 'stop', stops: 'operation' }, 0],
  ['latency=3000@1', { kind: 'unknown' }, 1],
  ['tls-closed@1', { kind: 'transient', mayBeWritten: false }, 0],
])('under %s the outcome is %j and %i completions are written', async (faults, outcome, written) => {
  const { sandbox, send } = await connect({ faults: parseFaults(faults) }, { deadline: '250ms' });
  expect((await send()).outcome).toMatchObject(outcome);
  expect(sandbox.platform.completions()).toHaveLength(written);
});

it('skills are deleted with an empty success', async () => {
  const { sandbox } = await connect();
  const environment = environmentAt(sandbox.url, { clientSecret: 'sandbox-secret' });
  const tokens = createTokenSource({ environment, gate: open, clock: systemClock() });
  const client = createPlatformClient(environment, systemClock());
  onTestFinished(async () => {
    await client.close();
    await tokens.close();
  });
  const result = await tokens.get('content:write');
  const path = '/api/v2/content/SAFETY-1/relationships/skills';
  const body = { data: [{ id: 'Welding', type: 'skills' }] };
  const token = 'token' in result ? result.token : '';
  const answer = await client.send({ method: 'DELETE', path, body }, token, MAY_LEAVE);
  expect(answer).toMatchObject({
    outcome: { kind: 'accepted', platformId: null },
    response: { status: 204, body: null, bodyState: 'complete' },
  });
});
