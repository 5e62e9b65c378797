import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { tlsServer } from '../support/tls-server.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

interface DoctorDocument {
  readonly checks: readonly {
    readonly check: string;
    readonly subject: string;
    readonly verdict: string;
    readonly message: string;
    readonly remedy: string;
  }[];
}

it('run and doctor distinguish https to an http port, an untrusted certificate, a wrong name and a closed port', {
  timeout: 300_000,
}, async () => {
  const selfSigned = `https://127.0.0.1:${await tlsServer('self-signed')}`;
  const workspace = await testWorkspace({ skipReceivedCheck: 'nothing arrives' });
  const noTls = workspace.sandbox.url.replace('http:', 'https:');
  const hosts = {
    'no-tls': [noTls, /speaks no TLS on this port/, /it says https/],
    untrusted: [selfSigned, /DEPTH_ZERO_SELF_SIGNED_CERT/, /caFile/],
    nameless: ['https://host.invalid', /has no address: getaddrinfo/, /DNS/],
    closed: ['http://127.0.0.1:9', /refuses the connection: connect ECONNREFUSED/, /Nothing listens/],
  } as const;
  const broken = await testWorkspace({
    skipReceivedCheck: 'nothing arrives',
    environments: Object.fromEntries(
      Object.entries(hosts).map(([name, [url]]) => [name, { baseUrl: url, authUrl: url, clientId: name }]),
    ),
    sources: Object.fromEntries(Object.keys(hosts).map((name) => [name, { environment: name }])),
  });
  const { code, stdout } = await broken.cli('doctor', '--json');
  expect(code).toBe(4);
  const { checks } = JSON.parse(stdout) as DoctorDocument;
  for (const name of Object.keys(hosts)) broken.drop('a.csv', csvOf(exportRows(1)), name);
  const run = await broken.cli('run', '--json');
  expect(run.code).toBe(4);
  const outages = documentOf<{ outages: readonly { environment: string; reason: string; remedy: string }[] }>(
    run,
  ).outages;

  for (const [name, [url, reason, remedy]] of Object.entries(hosts)) {
    const found = checks.filter(
      ({ check, subject }) => subject === name && ['connection', 'token'].includes(check),
    );
    expect(found.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      'connection broken',
      'token broken',
    ]);
    for (const one of found) {
      expect(one.message).toMatch(reason);
      expect(one.remedy).toMatch(remedy);
    }
    expect(found[0]?.message).toContain(`(${url})`);
    expect(found[1]?.message).toContain(`(${url}/oauth/token)`);
    const outage = outages.find(({ environment }) => environment === name);
    expect(outage?.reason).toMatch(reason);
    expect(outage?.remedy).toMatch(remedy);
    const [, text] = run.stderr.split(`Environment ${name} can't be used`);
    expect(text).toContain(outage?.reason);
    expect(text?.split('\n')[1]).toBe(`> ${outage?.remedy}`);
  }
  expect(run.stderr + stdout).not.toMatch(/no sound answer|SSL routines/);
});

it('doctor opens a connection to the platform itself, and sends nothing', async () => {
  const workspace = await testWorkspace();
  const { stdout } = await workspace.cli('doctor', '--json');
  const { checks } = JSON.parse(stdout) as DoctorDocument;
  expect(checks.filter(({ check }) => check === 'connection')).toMatchObject([
    { subject: 'main', verdict: 'ok', message: `can be reached (${workspace.sandbox.url})` },
  ]);
  expect(workspace.sandbox.platform.received.map(({ path }) => path)).toEqual([
    '/oauth/token',
    '/api/v2/completions',
  ]);
  expect(workspace.sandbox.platform.received.some(({ written }) => written)).toBe(false);
});
