import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { type SandboxServer, type SandboxServerOptions, startSandbox } from '../../src/sandbox/server.js';
import { ATTRIBUTES, completionBody } from './sandbox-driver.js';

const running: SandboxServer[] = [];

async function start(options?: SandboxServerOptions): Promise<SandboxServer> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

describe('the sandbox on a port', () => {
  it('a sandbox without options issues a token and accepts a completion', async () => {
    const { url, port } = await start();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const answer = await complete(url, await token(url));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-rate-limit-remaining')).toBe('68');
    expect((await complete(url, await token(url), { 'user-id': 'unknown.17@example.org' })).status).toBe(400);
    const received = (await (await fetch(`${url}/_sandbox/received`)).json()) as { completions: unknown[] };
    expect(received.completions).toHaveLength(1);
  });

  it('latency holds the answer back', async () => {
    const { url } = await start({ faults: parseFaults('latency=80') });
    const bearer = await token(url);
    const began = performance.now();
    await complete(url, bearer);
    expect(performance.now() - began).toBeGreaterThan(75);
  });

  it('drop-before resets the connection and writes nothing', async () => {
    const { url, platform } = await start({ faults: parseFaults('drop-before@1') });
    expect(await failureOf(url, await token(url))).toBe('ECONNRESET');
    expect(platform.completions()).toEqual([]);
  });

  it('drop-after writes and resets the connection', async () => {
    const { url, platform } = await start({ faults: parseFaults('drop-after@1') });
    expect(await failureOf(url, await token(url))).toBe('ECONNRESET');
    expect(platform.completions()).toHaveLength(1);
  });

  it('tls-closed ends the connection of a token request without a byte', async () => {
    const { url } = await start({ faults: parseFaults('tls-closed@1') });
    await expect(token(url)).rejects.toThrow('fetch failed');
    expect(await token(url)).toMatch(/^sandbox-/);
  });

  it('a body past the cap is a 413', async () => {
    const { url } = await start();
    const answer = await complete(url, await token(url), { 'content-id': 'x'.repeat(1_100_000) });
    expect(answer.status).toBe(413);
  });

  it('closes at once, with a connection kept alive and an answer held back', async () => {
    const sandbox = await startSandbox({ faults: parseFaults('latency=60000') });
    const bearer = await token(sandbox.url);
    const pending = failureOf(sandbox.url, bearer);
    while (sandbox.platform.received.length < 2) await new Promise(setImmediate);
    await sandbox.close();
    expect(await pending).toBe('ECONNRESET');
  });

  it('a port in use is an operator error that says what to do', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    await expect(startSandbox({ port })).rejects.toThrow(OperatorError);
    await expect(startSandbox({ port })).rejects.toThrow(`127.0.0.1:${port}`);
    await new Promise((resolve) => taken.close(resolve));
  });
});

async function token(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox-client',
      client_secret: 'sandbox-secret',
      scope: 'completions:write',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

function complete(url: string, bearer: string, attributes: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${url}/api/v2/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: completionBody({ ...ATTRIBUTES, ...attributes }),
  });
}

/** The error code of a completion that gets no answer, as the plainest of clients sees it. */
function failureOf(url: string, bearer: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/api/v2/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    });
    request.on('response', () => reject(new Error('an answer came')));
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    request.end(completionBody(ATTRIBUTES));
  });
}
