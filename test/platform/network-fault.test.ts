import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { FAULT_CODES, type FaultCode, type PlacedFault } from '../../src/domain/environment/fault.js';
import { faultReason, faultRemedy, placedFault } from '../../src/platform/answers/fault-words.js';
import { createPlatformClient } from '../../src/platform/client.js';
import { networkFault } from '../../src/platform/network-fault.js';
import { createTokenSource } from '../../src/platform/token.js';
import { tlsServer } from '../support/tls-server.js';
import { COMPLETION, environmentAt, httpServer, MAY_LEAVE, permitTelling, rawServer } from './fixtures.js';

/** The faults of both hosts of an environment at this address. */
async function faultsAt(
  url: string,
): Promise<readonly { reason: string; remedy: string; code: FaultCode }[]> {
  const environment = environmentAt(url, { deadline: '2s' });
  const clock = systemClock();
  const client = createPlatformClient(environment, clock);
  const gate = { acquire: async () => permitTelling([]) };
  const tokens = createTokenSource({ environment, gate, clock });
  onTestFinished(async () => {
    await client.close();
    await tokens.close();
  });
  const api = (await client.send(COMPLETION, 'a-token', MAY_LEAVE)).outcome;
  const token = await tokens.get('completions:write');
  return [['api', api] as const, ['token', 'outcome' in token ? token.outcome : api] as const].map(
    ([host, outcome]) => {
      if (!('fault' in outcome) || !outcome.fault) throw new Error(`${outcome.kind} without a fault`);
      const placed = placedFault(environment, host, outcome.fault);
      return { code: placed.code, reason: faultReason(placed), remedy: faultRemedy('main', placed) };
    },
  );
}

describe('each way in which no answer comes has its own sentence, with place, value and remedy, for both hosts', () => {
  const port = async (url: Promise<{ url: string }>) => new URL((await url).url).port;
  it.each<[string, () => Promise<string>, FaultCode, RegExp, RegExp]>([
    [
      'https to an http port',
      async () => `https://127.0.0.1:${await port(httpServer((_, response) => response.end()))}`,
      'plain-http',
      /speaks no TLS on this port: (ERR_SSL_\w+|EPROTO)/,
      /Correct environments\.main\.(base|auth)Url .*: it says https, .* Write the port of https/,
    ],
    [
      'a self-signed certificate',
      async () => `https://127.0.0.1:${await tlsServer('self-signed')}`,
      'certificate-untrusted',
      /not signed by an authority this machine trusts: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      /environments\.main\.caFile/,
    ],
    [
      'an unknown authority',
      async () => `https://127.0.0.1:${await tlsServer('platform')}`,
      'certificate-untrusted',
      /not signed by an authority this machine trusts: .*UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
      /environments\.main\.caFile/,
    ],
    [
      'a name without an address',
      async () => 'https://host.invalid',
      'name-unknown',
      /has no address: getaddrinfo \w+ host\.invalid/,
      /typo in environments\.main\.(base|auth)Url.*\(DNS\)/,
    ],
    [
      'a refused connection',
      async () => 'http://127.0.0.1:9',
      'connection-refused',
      /refuses the connection: connect ECONNREFUSED 127\.0\.0\.1:9 \(http:\/\/127\.0\.0\.1:9/,
      /Nothing listens at that host and port.*environments\.main\.(base|auth)Url/,
    ],
    [
      'a connection closed during TLS',
      () => rawServer((socket) => socket.end(), 'https'),
      'tls-closed',
      /closes the connection before TLS is set up: .*ECONNRESET/,
      /likely don't belong to this one/,
    ],
    [
      'a connection that is never accepted',
      () => rawServer((socket) => socket.resume(), 'https'),
      'connect-timeout',
      /doesn't accept the connection in time: no answer within 2000 ms/,
      /firewall/,
    ],
    [
      'a connection closed without an answer',
      () => rawServer((socket) => socket.once('data', () => socket.destroy())),
      'connection-lost',
      /closes the connection without an answer/,
      /ask who runs the host/,
    ],
    [
      'an answer that isn’t HTTP',
      () => rawServer((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n'))),
      'not-http',
      /is not HTTP/,
      /host and port of environments\.main\.(base|auth)Url/,
    ],
  ])('%s', async (_, address, code, reason, remedy) => {
    const url = await address();
    const [api, token] = await faultsAt(url);
    for (const one of [api, token]) {
      expect(one).toEqual({
        code,
        reason: expect.stringMatching(reason),
        remedy: expect.stringMatching(remedy),
      });
    }
    expect(api?.reason).toContain(`(${url})`);
    expect(api?.remedy).not.toContain('authUrl ');
    expect(token?.reason).toContain(`(${url}/oauth/token)`);
  });
});

describe('the machine’s own codes', () => {
  it.each<[string, string, FaultCode]>([
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', '', 'plain-http'],
    ['EPROTO', 'write EPROTO 40:error:0A00010B:SSL routines::wrong version number:', 'plain-http'],
    ['EPROTO', 'write EPROTO 40:error:0A000410:SSL routines::sslv3 alert handshake failure:', 'tls-failed'],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN x', 'name-unknown'],
    ['EHOSTUNREACH', 'connect EHOSTUNREACH 192.0.2.1:443', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error', 'connect-timeout'],
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'certificate-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', 'certificate-name'],
    ['PROXY', 'the proxy answers CONNECT with 407', 'proxy'],
  ])('%s "%s" before a byte was sent is %s', (code, message, fault) => {
    expect(networkFault({ code, message, sent: false })?.code).toBe(fault);
  });

  it.each(['interrupted', 'fenced'])('%s says nothing about the environment', (code) => {
    expect(networkFault({ code, message: '', sent: false })).toBeNull();
  });

  it('no sentence shows a source location of OpenSSL', () => {
    const message = '40:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/x.c:350:\n';
    expect(networkFault({ code: 'ERR_SSL_WRONG_VERSION_NUMBER', message, sent: false })?.message).toBe(
      'ERR_SSL_WRONG_VERSION_NUMBER',
    );
  });
});

it('every cause has a sentence and a remedy that ends in a full stop, each of its own', () => {
  const words = FAULT_CODES.map((code) => {
    const fault: PlacedFault = { code, message: 'x', host: 'api', address: 'https://platform.example' };
    return [faultReason(fault), faultRemedy('main', fault)] as const;
  });
  expect(new Set(words.map(([reason]) => reason)).size).toBe(FAULT_CODES.length);
  expect(words.filter(([, remedy]) => !/^[A-Z][\s\S]*\.$/.test(remedy))).toEqual([]);
});
