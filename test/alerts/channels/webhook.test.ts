import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { send } from '../../../src/alerts/channels/send.js';
import { connectProxy } from '../../support/connect-proxy.js';
import { tempFolder } from '../../support/temp-folder.js';
import { AUTHORITY_FILE, tlsFront } from '../../support/tls-server.js';
import { channelOf, manyCauses, oneCause, sending } from '../message-of.js';

interface Posted {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

it('a message is posted as JSON, with a signature that its receiver can compute', async () => {
  const { url, posts } = await receiver();
  const channel = channelOf({ webhook: { url, secret: 'the key' } });
  const before = Date.now();
  expect(await send(channel, oneCause(), sending(tempFolder()))).toBeNull();
  const [post] = posts;
  expect(JSON.parse(post?.body ?? '')).toEqual({
    registrar: expect.any(String),
    at: '2026-03-02T08:00:00.000Z',
    host: 'machine',
    workspace: '/srv/registrar',
    console: null,
    test: false,
    title: 'academy: 412 rows need attention (learner-unknown)',
    alerts: [
      {
        alert: 7,
        event: 'opened',
        kind: 'cause',
        subject: 'academy',
        code: 'learner-unknown',
        urgent: false,
        openedAt: '2026-03-02T08:00:00.000Z',
        overAt: null,
        closedAt: null,
        facts: { rows: 412, state: 'held', cause: 'learner-unknown' },
        title: 'academy: 412 rows need attention (learner-unknown)',
        text: 'The platform does not know the learner.',
        remedy: 'Look for a typo.',
        command: 'registrar map',
        details: [],
      },
    ],
  });
  const [, t = '', v1] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(post?.headers['x-registrar-signature'])) ?? [];
  expect(v1).toBe(createHmac('sha256', 'the key').update(`${t}.${post?.body}`).digest('hex'));
  expect(Math.abs(Number(t) * 1_000 - before)).toBeLessThan(10_000);
});

it('a webhook without a secret is not signed', async () => {
  const { url, posts } = await receiver();
  await send(channelOf({ webhook: { url } }), oneCause(), sending(tempFolder()));
  expect(posts[0]?.headers['x-registrar-signature']).toBeUndefined();
});

it('Slack gets a text without marks of its own, Teams a card', async () => {
  const { url, posts } = await receiver();
  const hostile = { text: 'see <!channel> & [x](http://x)' };
  for (const shape of ['slack', 'teams']) {
    await send(channelOf({ webhook: { url, shape } }), oneCause(hostile), sending(tempFolder()));
  }
  const [slack, teams] = posts.map(({ body }) => JSON.parse(body));
  expect(Object.keys(slack)).toEqual(['text']);
  expect(slack.text).toMatch(/^\*Registrar: academy: 412 rows need attention \(learner-unknown\)\*\n/);
  expect(slack.text).toContain('see &lt;!channel&gt; &amp; [x]');
  expect(teams).toMatchObject({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } },
    ],
  });
  const texts = teams.attachments[0].content.body.map(({ text }: { text: string }) => text);
  expect(texts.join('\n')).toContain('see \\<\\!channel\\> & \\[x\\]\\(http://x\\)');
});

it('people are shown no more alerts than they read, programs all', async () => {
  const { url, posts } = await receiver();
  for (const shape of ['json', 'slack', 'teams']) {
    expect(
      await send(channelOf({ webhook: { url, shape } }), manyCauses(200), sending(tempFolder())),
    ).toBeNull();
  }
  const [json = '', slack = '', teams = ''] = posts.map(({ body }) => body);
  expect(JSON.parse(json).alerts).toHaveLength(200);
  expect(JSON.parse(json).title).toBe('academy: 412 rows need attention (learner-unknown), and 199 more');
  expect(JSON.parse(slack).text.length).toBeLessThanOrEqual(3_000);
  expect(teams.length).toBeLessThan(28_000);
  expect(teams).toContain('… and 170 more: registrar alerts lists what is open.');
});

it('a webhook goes through the proxy that the environment names', async () => {
  const { port, posts } = await receiver();
  const proxy = await connectProxy();
  const tlsPort = await tlsFront('platform', port);
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const webhook = { url: `https://platform.test:${tlsPort}/`, caFile: AUTHORITY_FILE };
  expect(await send(channelOf({ webhook }), oneCause(), sending(tempFolder()))).toBeNull();
  expect(proxy.targets).toEqual([`platform.test:${tlsPort}`]);
  expect(posts).toHaveLength(1);
});

it.each([
  ['a 503 is a failure', [503, 200], 'got HTTP 503 from HOST'],
  ['a 404 is a failure', [404, 200], 'got HTTP 404 from HOST'],
  ['a redirect is not followed', [302, 200], 'got HTTP 302 from HOST, a redirect, which is not followed'],
])('%s', async (_, statuses, error) => {
  const left = [...statuses];
  const { url, posts } = await receiver((_, response) => {
    response.writeHead(left.shift() ?? 200, { location: url }).end('ada@example.com');
  });
  const channel = channelOf({ webhook: { url } });
  const { host } = new URL(url);
  const failure = await send(channel, oneCause(), sending(tempFolder()));
  expect(failure?.replace(host, 'HOST') ?? null).toBe(error);
  expect(posts).toHaveLength(statuses.length - left.length);
});

it('an endless answer counts as an answer; the request to a silent or absent host times out', async () => {
  const dripping = await receiver((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const silent = await receiver(() => {});
  const sendTo = (url: string) =>
    send(channelOf({ webhook: { url }, timeLimit: '400ms' }), oneCause(), sending(tempFolder()));
  expect(await sendTo(dripping.url)).toBeNull();
  expect(await sendTo(silent.url)).toBe(
    `can't be reached: ${new URL(silent.url).host} doesn't answer in time`,
  );
  expect(silent.posts).toHaveLength(1);
  expect(await sendTo('http://127.0.0.1:1/secret-path')).toBe(
    "can't be reached: 127.0.0.1:1 refuses the connection",
  );
});

it('a huge answer is not read to its end', async () => {
  const { url } = await receiver((_, response) => {
    response.writeHead(200);
    response.end(Buffer.alloc(8 * 1024 * 1024, 'x'));
  });
  await send(channelOf({ webhook: { url } }), oneCause(), sending(tempFolder()));
});

it('a webhook trusts only hosts whose CA is in caFile', async () => {
  const { port, posts } = await receiver();
  const url = `https://localhost:${await tlsFront('platform', port)}/`;
  const sendBy = (webhook: object) =>
    send(channelOf({ webhook: { url, ...webhook } }), oneCause(), sending(tempFolder()));
  expect(await sendBy({})).toMatch(/^can't be reached: the certificate of localhost:\d+ is .* trust/);
  expect(await sendBy({ caFile: AUTHORITY_FILE })).toBeNull();
  expect(posts).toHaveLength(1);
});

/** A web server until the test ends. */
async function receiver(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end(),
) {
  const posts: Posted[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook?key=1`, port, posts };
}
