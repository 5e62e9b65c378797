import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { createPlatformClient, type PlatformAnswer, type PlatformClient } from '../../src/platform/client.js';
import {
  answering,
  COMPLETION,
  environmentAt,
  httpServer,
  MAY_LEAVE,
  rawServer,
  SECRET,
} from './fixtures.js';

const TOKEN = 'token-0123456789';
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

async function send(url: string, more: Record<string, unknown> = {}, mayLeave = MAY_LEAVE) {
  const client = createPlatformClient(environmentAt(url, more), systemClock());
  onTestFinished(() => client.close());
  return client.send(COMPLETION, TOKEN, mayLeave);
}

describe('the request', () => {
  it('is sent as JSON with the token, without accept-encoding, below the base address', async () => {
    const { url, received } = await httpServer((_, response) => response.end());
    await send(`${url}/platform/`);
    expect(received).toHaveLength(1);
    expect(received[0]?.url).toBe('/platform/api/v2/completions');
    expect(received[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(received[0]?.headers).not.toHaveProperty('accept-encoding');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(COMPLETION.body);
  });

  it('uses an open connection again', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await httpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const client = createPlatformClient(environmentAt(url), systemClock());
    onTestFinished(() => client.close());
    for (let n = 0; n < 6; n += 1) await client.send(COMPLETION, TOKEN, MAY_LEAVE);
    expect(ports.size).toBeLessThan(4);
  });
});

describe('a request whose path leads to another place than it names', () => {
  it.each(['..', '.', '%2e%2e', ''])('does not leave: %j', async (id) => {
    const { url, received } = await httpServer((_, response) => response.end());
    const client = createPlatformClient(environmentAt(`${url}/base`), systemClock());
    onTestFinished(() => client.close());
    const request = { method: 'DELETE', path: `/content/${id}/relationships/skills`, body: null } as const;
    const answer = await client.send(request, TOKEN, MAY_LEAVE);
    expect(answer).toMatchObject({
      outcome: { kind: 'rejected', reason: 'not sent: its path would lead elsewhere' },
      failure: { code: 'misdirected', sent: false },
    });
    expect(received).toEqual([]);
  });
});

describe('the stored response', () => {
  it('has status, selected headers, body, error and timing', async () => {
    const body = JSON.stringify({
      errors: [
        { id: 'e1', code: 'bad-request', status: 400, title: 'Bad Request', detail: 'No.', source: 'x' },
      ],
    });
    const { url } = await httpServer((_, response) => {
      response.writeHead(400, {
        'content-type': 'application/json',
        'X-Request-Id': 'r-1',
        'x-rate-limit-remaining': '3',
        'set-cookie': 'session=1',
      });
      response.end(body);
    });
    const before = Date.now();
    const answer = await send(url);
    expect(answer).toMatchObject({ failure: null, outcome: { kind: 'rejected' } });
    expect(answer.response).toEqual({
      status: 400,
      headers: {
        'content-type': 'application/json',
        date: expect.any(String),
        'x-request-id': 'r-1',
        'x-rate-limit-remaining': '3',
      },
      body,
      bodyState: 'complete',
      error: { id: 'e1', code: 'bad-request', title: 'Bad Request', detail: 'No.', source: 'x' },
      failureSign: null,
      platformId: null,
    });
    expect(answer.startedAtMs).toBeGreaterThanOrEqual(before);
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['as is', SECRET, 'Bearer [redacted] [redacted]'],
    ['escaped', encodeURIComponent(SECRET), '"[redacted]"'],
  ])('holds neither token nor secret, which the platform writes %s', async (_, written, expected) => {
    const { url } = await httpServer((request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain', 'x-request-id': `for ${TOKEN}` });
      response.end(`${request.headers.authorization} ${written}`);
    });
    const kept = JSON.stringify(await send(url));
    for (const secret of [TOKEN, SECRET, encodeURIComponent(SECRET)]) expect(kept).not.toContain(secret);
    expect(kept).toContain(expected);
  });

  it('a body of more than 64 KiB is kept to there, and its id is read all the same', async () => {
    const body = JSON.stringify({ filler: 'ü'.repeat(70_000), data: { id: 17 } });
    const { url } = await httpServer((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(body);
    });
    const { response, outcome } = await send(url);
    expect(outcome).toEqual({ kind: 'accepted', platformId: '17' });
    expect(response?.bodyState).toBe('capped');
    expect(Buffer.byteLength(response?.body ?? '')).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(response?.body ?? '')).toBeGreaterThan(65_530);
    expect(response?.body).not.toContain('\ufffd');
  });
});

describe('an answer without a status', () => {
  const unknown = (answer: PlatformAnswer, code: string | RegExp) => {
    expect(answer.response).toBe(null);
    expect(answer.outcome.kind).toBe('unknown');
    expect(answer.failure).toMatchObject({ sent: true, code: expect.stringMatching(code) });
  };
  const notSent = (answer: PlatformAnswer, code: string | RegExp) => {
    expect(answer.response).toBe(null);
    expect(answer.outcome).toMatchObject({ kind: 'transient', mayBeWritten: false });
    expect(answer.failure).toMatchObject({ sent: false, code: expect.stringMatching(code) });
  };

  it('a reset before the answer is unknown', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    unknown(await send(url), 'ECONNRESET');
  });

  it('a connection ended before the answer is unknown', async () => {
    const url = await rawServer((socket) => socket.once('data', () => socket.end()));
    unknown(await send(url), 'UND_ERR_SOCKET');
  });

  it('no answer within the deadline is unknown', async () => {
    const url = await rawServer((socket) => socket.resume());
    unknown(await send(url, { deadline: '120ms' }), 'deadline');
  });

  it('at the deadline the connection is cut', async () => {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const url = await rawServer((socket) => socket.resume().once('close', () => onClose()));
    await send(url, { deadline: '50ms' });
    await closed;
  });

  it('an informational response and then nothing is unknown', async () => {
    unknown(await send(await answering('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')), 'UND_ERR_SOCKET');
  });

  it('what is under way when the client is closed is unknown', async () => {
    let client: PlatformClient | undefined;
    const url = await rawServer((socket) => socket.once('data', () => client?.close()));
    client = createPlatformClient(environmentAt(url), systemClock());
    unknown(await client.send(COMPLETION, TOKEN, MAY_LEAVE), 'UND_ERR_DESTROYED');
  });

  it('headers that drip past the deadline are unknown', async () => {
    const url = await rawServer((socket) => {
      socket.once('data', () => drip(() => socket.write('x'), 20));
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-a: '));
    });
    unknown(await send(url, { deadline: '150ms' }), 'deadline');
  });

  it('headers without end are unknown', async () => {
    unknown(
      await send(await answering(`${HEAD}x-a: ${'x'.repeat(100_000)}\r\n\r\n`)),
      'UND_ERR_HEADERS_OVERFLOW',
    );
  });

  it('an answer that is not HTTP is unknown', async () => {
    unknown(await send(await answering('SSH-2.0-OpenSSH_9.2\r\n')), /./);
  });

  it('an unrequested informational response is unknown', async () => {
    const bytes = `HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length: 2\r\n\r\n{}`;
    unknown(await send(await answering(bytes)), 'UND_ERR_SOCKET');
  });

  it('a refused connection has sent nothing', async () => {
    const taken = await rawServer(() => {});
    const unused = Number(new URL(taken).port) === 1 ? 2 : 1;
    notSent(await send(`http://127.0.0.1:${unused}`), 'ECONNREFUSED');
  });

  it('a host without an address has been sent nothing', async () => {
    notSent(await send('https://host.invalid'), /ENOTFOUND|EAI_AGAIN/);
  });

  it('TLS that is closed or not spoken has sent nothing', async () => {
    notSent(await send(await rawServer((socket) => socket.end(), 'https')), 'ECONNRESET');
    notSent(await send(await rawServer((socket) => socket.resetAndDestroy(), 'https')), 'ECONNRESET');
    notSent(await send(await rawServer((socket) => socket.end('hello'), 'https')), /EPROTO|ERR_SSL/);
  });

  it('a connection that takes longer than the deadline has sent nothing', async () => {
    const url = await rawServer((socket) => socket.resume(), 'https');
    notSent(await send(url, { deadline: '120ms' }), 'deadline');
  });

  it('a request past its time to leave is not written, though the connection is open', async () => {
    let written = '';
    const url = await rawServer((socket) => {
      socket.on('data', (chunk) => {
        written += chunk;
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const client = createPlatformClient(environmentAt(url), systemClock());
    onTestFinished(() => client.close());
    await client.send(COMPLETION, TOKEN, MAY_LEAVE);
    notSent(await client.send(COMPLETION, TOKEN, () => false), 'fenced');
    expect((await client.send(COMPLETION, TOKEN, MAY_LEAVE)).outcome.kind).toBe('accepted');
    expect(written.match(/POST /g)).toHaveLength(2);
  });

  it('the check whether it may leave runs once connected, and its error is not taken for the platform’s', async () => {
    const url = await rawServer((socket) => socket.resume());
    const broken = () => {
      throw new Error('disk full');
    };
    await expect(send(url, {}, broken)).rejects.toThrow('disk full');
    notSent(await send('http://127.0.0.1:9', {}, broken), 'ECONNREFUSED');
  });
});

describe('an answer with a status and an incomplete body', () => {
  it.each([
    [
      'is cut at the end of the connection',
      `${HEAD}connection: close\r\n\r\n{"data":{"id":"1"`,
      '{"data":{"id":"1"',
    ],
    [
      'is shorter than its length',
      `${HEAD}content-length: 900\r\n\r\n{"data":{"id":"1"`,
      '{"data":{"id":"1"',
    ],
    ['is longer than its length', `${HEAD}content-length: 3\r\n\r\n{"a":1}`, '{"a'],
    ['is cut between chunks', `${HEAD}transfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n`, '{"a'],
  ])('a 2xx whose JSON %s is accepted, and said to be incomplete', async (_, bytes, body) => {
    const answer = await send(await answering(bytes));
    expect(answer.outcome).toEqual({ kind: 'accepted', platformId: null });
    expect(answer.response).toMatchObject({ status: 200, body, bodyState: 'incomplete' });
  });

  it('a body that is shorter than its length is reported as incomplete', async () => {
    const bytes = 'HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\ncontent-length: 900\r\n\r\nhalf';
    const answer = await send(await answering(bytes));
    expect(answer).toMatchObject({
      outcome: { kind: 'transient' },
      response: { body: 'half', bodyState: 'incomplete' },
    });
  });

  it('a body that drips past the deadline is judged by the status', async () => {
    const url = await rawServer((socket) => {
      socket.once('data', () => {
        socket.write(`${HEAD}content-length: 900\r\n\r\n{"`);
        drip(() => socket.write('x'), 20);
      });
    });
    const answer = await send(url, { deadline: '150ms' });
    expect(answer.outcome.kind).toBe('accepted');
    expect(answer.response).toMatchObject({
      bodyState: 'incomplete',
      body: expect.stringMatching(/^\{"x+$/),
    });
  });

  it('a body without end is judged by the status and read no further', async () => {
    const url = await rawServer((socket) => {
      socket.once('data', () => socket.write(`${HEAD}\r\n{"data":"`));
      socket.once('data', () => drip(() => socket.write('x'.repeat(200_000)), 1));
    });
    const answer = await send(url);
    expect(answer).toMatchObject({ outcome: { kind: 'accepted' }, response: { bodyState: 'capped' } });
  });

  it('a body said to be compressed is not unpacked', async () => {
    const bytes = `${HEAD}content-encoding: gzip\r\ncontent-length: 17\r\n\r\n{"data":{"id":1}}`;
    const answer = await send(await answering(bytes));
    expect(answer.outcome).toEqual({ kind: 'accepted', platformId: '1' });
  });

  it('after a damaged answer the next request works', async () => {
    let answered = 0;
    const url = await rawServer((socket) =>
      socket.on('data', () => {
        answered += 1;
        socket.write(`${HEAD}content-length: ${answered === 1 ? 3 : 7}\r\n\r\n{"a":1}`);
      }),
    );
    const client = createPlatformClient(environmentAt(url), systemClock());
    onTestFinished(() => client.close());
    expect((await client.send(COMPLETION, TOKEN, MAY_LEAVE)).response?.body).toBe('{"a');
    expect((await client.send(COMPLETION, TOKEN, MAY_LEAVE)).response?.body).toBe('{"a":1}');
  });
});

describe('answers of an intermediary', () => {
  it('a redirect is not followed and stops the environment', async () => {
    const { url, received } = await httpServer((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await send(url)).outcome).toMatchObject({ kind: 'stop', stops: 'environment' });
    expect(received).toHaveLength(1);
  });

  it('a 502 with a page is a passing fault', async () => {
    const { url, received } = await httpServer((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    });
    expect((await send(url)).outcome).toEqual({
      kind: 'transient',
      code: 'HTTP 502',
      reason: 'HTTP 502',
      retryAfterMs: null,
      mayBeWritten: true,
      fault: { code: 'server-error', message: 'HTTP 502' },
    });
    expect(received).toHaveLength(1);
  });

  it('an informational response before the answer is skipped', async () => {
    const bytes = `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${HEAD}content-length: 2\r\n\r\n{}`;
    expect((await send(await answering(bytes))).response?.status).toBe(200);
  });
});

/** Writes again and again until the test is over. */
function drip(write: () => void, everyMs: number): void {
  const timer = setInterval(write, everyMs);
  onTestFinished(() => clearInterval(timer));
}
