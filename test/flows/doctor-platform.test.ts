import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectProxy } from '../support/connect-proxy.js';
import { examined, finds } from '../support/examined.js';
import { AUTHORITY_FILE, tlsServer } from '../support/tls-server.js';
import { testWorkspace } from '../support/workspace.js';
import { at, withMain } from './doctor-platform-setup.js';

/** A server of this machine that gives a token to every client, unless `answer` does something else; its address. */
async function tokenHost(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    answer(request, response);
    if (!response.writableEnded) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'a-token', token_type: 'bearer', expires_in: 3600 }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Environments whose platform side is broken. */
describe('doctor names what is wrong with an environment', { timeout: 300_000 }, () => {
  it('a wrong secret', async () => {
    const found = await examined(await testWorkspace(), { REGISTRAR_CLIENT_SECRET: 'another-secret' });
    finds(found, 4, [
      /^broken token: .*refuses the client id or secret.*HTTP 403.*\. Check clientId and clientSecret of environments\.main/,
    ]);
    expect(found.output).not.toContain('another-secret');
  });

  it('a client id without the scope of one operation, while that of another works', async () => {
    const client = {
      clientId: 'sandbox-client',
      clientSecret: 'sandbox-secret',
      scopes: ['completions:write'],
    };
    const workspace = await testWorkspace({
      sandbox: { clients: [client] },
      sources: { academy: {}, courses: { operation: 'create-course' } },
    });
    const found = await examined(workspace);
    finds(found, 4, [
      /^broken token: gives no token for content:write: .*a scope that the client id doesn't own.* whether the client id has the scope/,
    ]);
    expect(found.all.filter(({ check, verdict }) => check === 'token' && verdict === 'ok')).toMatchObject([
      { message: 'gives a token for completions:write' },
    ]);
  });

  it('a host without an address', async () => {
    finds(await examined(await withMain(at('https://host.invalid'))), 4, [
      /^broken connection: the name of the platform has no address: .*\. Look for a typo in environments\.main\.baseUrl/,
      /^broken token: .*the name of the token host has no address: .*\. Look for a typo in environments\.main\.authUrl/,
    ]);
  });

  it('a port without a server', async () => {
    finds(await examined(await withMain({ baseUrl: 'http://127.0.0.1:9' })), 4, [
      /^broken connection: the platform refuses the connection: .*Nothing listens at that host and port.*correct environments\.main\.baseUrl/,
    ]);
  });

  it('https to a port that speaks http', async () => {
    const plain = await tokenHost(() => {});
    finds(await examined(await withMain({ baseUrl: plain.replace('http:', 'https:') })), 4, [
      /^broken connection: the platform speaks no TLS on this port: .*\. Correct environments\.main\.baseUrl/,
    ]);
  });

  it.each<['self-signed' | 'expired' | 'other', RegExp]>([
    [
      'self-signed',
      /^broken connection: .*not signed by an authority this machine trusts: .*environments\.main\.caFile/,
    ],
    ['expired', /^broken connection: .*isn't valid today: .*\. Check this machine's clock/],
    [
      'other',
      /^broken connection: .*is for another name: .*\. Write the name that the certificate has in environments\.main\.baseUrl/,
    ],
  ])('a certificate that is %s', async (certificate, fault) => {
    const baseUrl = `https://127.0.0.1:${await tlsServer(certificate)}`;
    finds(await examined(await withMain({ baseUrl, caFile: AUTHORITY_FILE })), 4, [fault]);
  });

  it('a sign-in page that answers for the token host', async () => {
    const page = await tokenHost((_, response) => void response.end('<html>Please sign in</html>'));
    finds(await examined(await withMain({ authUrl: page })), 4, [
      /^broken token: .*what answers is not the interface of the token host.*\. Check environments\.main\.authUrl .* sign-in page/,
    ]);
  });

  it.each<[string, number, string]>([
    ['an address below which the API is not', 404, '{"errors":[{"status":404,"title":"Not Found"}]}'],
    ['an address that redirects', 302, ''],
    ['a web page', 200, '<html>Welcome</html>'],
  ])('%s in place of the API, although its token host works', async (_, status, body) => {
    const url = await tokenHost((request, response) => {
      if (request.url !== '/oauth/token') response.writeHead(status, { location: '/home' }).end(body);
    });
    const found = await examined(await withMain({ baseUrl: `${url}/api`, authUrl: url }));
    finds(found, 4, [
      new RegExp(
        `^broken connection: what answers is not the interface of the platform: HTTP ${status} to GET /api/v2/completions .*\\. Check environments\\.main\\.baseUrl`,
      ),
    ]);
  });

  it.each([200, 401, 403, 405, 503])('nothing where the API answers a read with %i', async (status) => {
    const url = await tokenHost((request, response) => {
      if (request.url !== '/oauth/token') response.writeHead(status).end('{}');
    });
    finds(await examined(await withMain(at(url))), 0, []);
  });

  it('a quota that another program has used up', async () => {
    const full = await tokenHost(
      (_, response) => void response.writeHead(429, { 'retry-after': '60' }).end(),
    );
    finds(await examined(await withMain({ authUrl: full })), 0, [
      /^attention token: answers 429: its quota is used up\. Check again in some minutes\./,
    ]);
  });

  it('a proxy that refuses', async () => {
    const { port } = await connectProxy({ instead: 403 });
    const workspace = await withMain(at('https://platform.test'));
    // Connections heed the variable of the process.
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    finds(await examined(workspace), 4, [
      /^broken connection: the proxy makes no connection to the platform: the proxy answers CONNECT with 403 .*\. Check HTTPS_PROXY/,
      /^broken token: .*the proxy makes no connection to the token host/,
    ]);
  });
});
