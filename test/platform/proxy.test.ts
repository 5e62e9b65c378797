import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { createHttp, type HttpBounds } from '../../src/platform/http.js';
import { networkFault } from '../../src/platform/network-fault.js';
import { connectProxy } from '../support/connect-proxy.js';
import { AUTHORITY_FILE, tlsServer } from '../support/tls-server.js';
import { httpServer, MAY_LEAVE } from './fixtures.js';

const DEADLINE_MS = 5_000;

/** One exchange with `https://platform.test`, a name that only the proxy knows how to reach. */
function exchangeVia(env: Readonly<Record<string, string>>, port: number, bounds: Partial<HttpBounds> = {}) {
  const http = createHttp(systemClock(), true, { caFile: AUTHORITY_FILE, env });
  onTestFinished(() => http.close());
  const url = `https://platform.test:${port}/api`;
  const request = { method: 'POST', url, headers: { 'x-a': 'b' }, body: '{}' };
  return http.exchange(request, { deadlineMs: DEADLINE_MS, mayLeave: MAY_LEAVE, ...bounds });
}

/** A platform behind TLS that answers 204, and what it has received. */
async function platform(answer = 'HTTP/1.1 204 No Content\r\n\r\n') {
  const received: string[] = [];
  const port = await tlsServer('platform', (socket: Socket) =>
    socket.on('data', (chunk) => {
      received.push(chunk.toString());
      socket.write(answer);
    }),
  );
  return { port, received };
}

describe('through a proxy', () => {
  it('the check whether a request may leave runs once, when the tunnel and its TLS are open and before its first byte', async () => {
    const { port, received } = await platform();
    const proxy = await connectProxy();
    const seen: string[] = [];
    const mayLeave = () => {
      seen.push(`${proxy.targets.length} tunnels, ${received.length} requests`);
      return true;
    };
    const { response } = await exchangeVia({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, port, {
      mayLeave,
    });
    expect(response?.status).toBe(204);
    expect(seen).toEqual(['1 tunnels, 0 requests']);
    expect(received).toHaveLength(1);
    expect(proxy.targets).toEqual([`platform.test:${port}`]);
  });

  it('a request that may not leave doesn’t, though the tunnel is open', async () => {
    const { port, received } = await platform();
    const proxy = await connectProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { failure } = await exchangeVia(env, port, { mayLeave: () => false });
    expect(failure).toMatchObject({ code: 'fenced', sent: false });
    expect([proxy.targets.length, received]).toEqual([1, []]);
  });

  it.each([
    ['is never answered', 'silent', 'deadline', 'connect-timeout'],
    ['is closed', 'close', 'PROXY', 'proxy'],
    ['is refused with 403', 403, 'PROXY', 'proxy'],
    ['is refused with 502', 502, 'PROXY', 'proxy'],
  ] as const)('a tunnel that %s has sent nothing', async (_, instead, code, fault) => {
    const { port, received } = await platform();
    const proxy = await connectProxy({ instead });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    // The others answer, however busy the machine is.
    const { failure } = await exchangeVia(env, port, { deadlineMs: instead === 'silent' ? 400 : 30_000 });
    expect(failure).toMatchObject({ code, sent: false });
    expect(failure && networkFault(failure)?.code).toBe(fault);
    expect(received).toEqual([]);
  });

  it('a request cancelled while the tunnel opens is not written afterwards', async () => {
    const { port, received } = await platform();
    const proxy = await connectProxy({ instead: 'silent' });
    const stop = new AbortController();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const sending = exchangeVia(env, port, { signal: stop.signal });
    stop.abort();
    expect((await sending).failure).toMatchObject({ code: 'interrupted', sent: false });
    expect(received).toEqual([]);
  });

  it('what is cut after the first byte is known as sent', async () => {
    const proxy = await connectProxy();
    const port = await tlsServer('platform', (socket) => socket.once('data', () => socket.destroy()));
    const { failure } = await exchangeVia({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, port);
    expect(failure).toMatchObject({ sent: true });
    expect(failure && networkFault(failure)?.code).toBe('connection-lost');
  });

  it('a proxy that is down is distinguished from a platform that is down', async () => {
    const { failure } = await exchangeVia({ HTTPS_PROXY: 'http://user:a-proxy-secret@127.0.0.1:9' }, 443);
    expect(failure).toMatchObject({ code: 'PROXY', sent: false });
    expect(failure?.message).toBe('the proxy 127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9');
  });

  it('its user name and password go to it alone, and into no message when they are wrong', async () => {
    const { port, received } = await platform();
    const proxy = await connectProxy({ credentials: 'user:a-proxy-secret' });
    const at = (password: string) => ({ HTTPS_PROXY: `http://user:${password}@127.0.0.1:${proxy.port}` });
    expect((await exchangeVia(at('a-proxy-secret'), port)).response?.status).toBe(204);
    expect(received.join()).not.toMatch(/proxy-authorization/i);
    const wrong = await exchangeVia(at('another-secret'), port);
    expect(wrong.failure).toEqual({
      code: 'PROXY',
      message: 'the proxy answers CONNECT with 407',
      sent: false,
    });
  });

  it.each([
    [
      'https_proxy comes before HTTPS_PROXY',
      (url: string) => ({ https_proxy: url, HTTPS_PROXY: 'http://127.0.0.1:9' }),
    ],
    ['HTTP_PROXY serves where there is no other', (url: string) => ({ HTTP_PROXY: url, HTTPS_PROXY: '' })],
    ['host and port alone are enough', (url: string) => ({ HTTPS_PROXY: url.replace('http://', '') })],
  ])('%s', async (_, env) => {
    const { port } = await platform();
    const proxy = await connectProxy();
    expect((await exchangeVia(env(`http://127.0.0.1:${proxy.port}`), port)).response?.status).toBe(204);
    expect(proxy.targets).toHaveLength(1);
  });

  it('requests to hosts in NO_PROXY go without it', async () => {
    const proxy = await connectProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'elsewhere.example, .test' };
    const { failure } = await exchangeVia(env, 443);
    // Only the proxy knows the name.
    expect(failure?.code).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(proxy.targets).toEqual([]);
  });

  it('requests to this machine never go through it: plain http would show the token to the network', async () => {
    const { url, received } = await httpServer((_, response) => response.writeHead(204).end());
    const proxy = await connectProxy();
    const address = `http://127.0.0.1:${proxy.port}`;
    const http = createHttp(systemClock(), true, { env: { HTTP_PROXY: address, HTTPS_PROXY: address } });
    onTestFinished(() => http.close());
    const request = { method: 'GET', url, headers: {}, body: null };
    const { response } = await http.exchange(request, { deadlineMs: DEADLINE_MS, mayLeave: MAY_LEAVE });
    expect([response?.status, received.length, proxy.targets]).toEqual([204, 1, []]);
    const port = await tlsServer('platform');
    const over = { ...request, url: `https://localhost:${port}/` };
    await http.exchange(over, { deadlineMs: DEADLINE_MS, mayLeave: MAY_LEAVE });
    expect(proxy.targets).toEqual([]);
  });
});

describe('an authority of one’s own', () => {
  const at = async (port: number, caFile?: string, env = {}) => {
    const http = createHttp(systemClock(), false, { caFile, env });
    onTestFinished(() => http.close());
    const request = { method: 'GET', url: `https://127.0.0.1:${port}/`, headers: {}, body: null };
    const { failure } = await http.exchange(request, { deadlineMs: DEADLINE_MS, mayLeave: () => false });
    return failure && (networkFault(failure)?.code ?? failure.code);
  };

  it('is trusted where caFile names it, and nowhere else', async () => {
    const { port } = await platform();
    expect([await at(port), await at(port, AUTHORITY_FILE)]).toEqual(['certificate-untrusted', 'fenced']);
  });

  it('is trusted beside those of NODE_EXTRA_CA_CERTS', async () => {
    const { port } = await platform();
    const own = fileURLToPath(new URL('../support/tls/self-signed.pem', import.meta.url));
    expect(await at(port, own)).toBe('certificate-untrusted');
    expect(await at(port, own, { NODE_EXTRA_CA_CERTS: AUTHORITY_FILE })).toBe('fenced');
    expect(await at(await tlsServer('self-signed'), own)).toBe('fenced');
  });

  it('that is not there any more leaves the host untrusted, and nothing breaks', async () => {
    const { port } = await platform();
    expect(await at(port, '/nowhere/authority.pem')).toBe('certificate-untrusted');
  });

  it.each([
    ['other', 'certificate-name'],
    ['expired', 'certificate-expired'],
    ['self-signed', 'certificate-untrusted'],
  ] as const)('doesn’t vouch for a certificate that is %s', async (certificate, code) => {
    expect(await at(await tlsServer(certificate), AUTHORITY_FILE)).toBe(code);
  });
});
