import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { mailServer, readableMail } from '../support/mail-server.js';
import { document, fencesOf } from '../support/markdown.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { breakInserts } from '../support/workspace-ledger.js';

/** Alerts and recoveries are sent at once. */
const AT_ONCE = { recoverAfter: '0s' };
const TO_FILE = { name: 'log', file: 'alerts.jsonl' };

/** Parts of every personal value in the rows. */
const CANARIES = ['canary', 'Kanari', 'unknown.learner'];

const ROWS = [
  ...exportRows(3),
  exportRow(7, { email: 'unknown.learner@canary.example' }),
  exportRow(8, { email: 'no address Kanari' }),
];

it('a run reports each cause once, the next run reports nothing, and the end of a cause is reported once', async () => {
  const workspace = await testWorkspace({
    alerts: { ...AT_ONCE, channels: [TO_FILE] },
    sandbox: { learners: { unknownContaining: 'unknown' } },
  });
  workspace.drop('canary.csv', csvOf(ROWS));
  expect((await workspace.cli('run')).code).toBe(1);
  expect(notifications(workspace)).toEqual([
    ['opened cause academy email-invalid', 'opened cause academy learner-unknown'],
  ]);
  const list = documentOf<List>(await workspace.cli('alerts', '--json'));
  expect(list.open.map(({ title }) => title)).toEqual([
    'academy: 1 row needs attention (email-invalid)',
    'academy: 1 row needs attention (learner-unknown)',
  ]);
  expect((await workspace.cli('alerts')).stdout).toContain('2 alerts are open:');
  expect((await workspace.cli('status')).stdout).toContain('2 alerts are open: registrar alerts');
  await workspace.cli('run');
  expect(notifications(workspace)).toHaveLength(1);
  await workspace.cli('dismiss', '--all', '--because', 'entered by hand');
  await workspace.cli('run');
  expect(notifications(workspace).slice(1)).toEqual([
    ['recovered cause academy email-invalid', 'recovered cause academy learner-unknown'],
  ]);
  expect((await workspace.cli('alerts')).stdout).toContain('No alert is open.');
  const bytes = readFileSync(join(workspace.root, TO_FILE.file), 'utf8');
  expect(CANARIES.filter((canary) => bytes.includes(canary))).toEqual([]);
});

it('a channel that fails leaves the exit code of a run, and the next run reports it through the others', async () => {
  const workspace = await testWorkspace({
    alerts: { ...AT_ONCE, channels: [{ name: 'gone', file: 'no/such/folder/alerts.jsonl' }, TO_FILE] },
  });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  expect(await workspace.cli('run', '--quiet')).toMatchObject({ code: 0, stderr: '' });
  workspace.drop('b.csv', csvOf([exportRow(8, { email: 'no address' })]));
  const failed = await workspace.cli('run', '--quiet');
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toContain(
    'alert channel gone failed (ENOENT). Its notifications are kept, and the next run tries again; registrar alerts test --channel gone tries it now.\n',
  );
  expect(notifications(workspace)).toEqual([['opened cause academy email-invalid']]);
  expect((await workspace.cli('status')).stdout).toMatch(
    /Alert channel gone has failed since .*: it failed \(ENOENT\)\./,
  );
  expect((await workspace.cli('run', '--quiet')).code).toBe(0);
  expect(notifications(workspace).slice(1)).toEqual([['opened channel gone channel-failing']]);
});

it('a test goes through every channel, says of each whether it was sent, and exits with 1 where one was not', async () => {
  const workspace = await testWorkspace({
    alerts: { channels: [TO_FILE, { name: 'gone', command: ['./nothing-there'] }] },
  });
  const all = await workspace.cli('alerts', 'test');
  expect(all.code).toBe(1);
  expect(all.stdout).toBe(
    'log: test sent by file\ngone: not sent by command: it could not be started (ENOENT)\n',
  );
  const one = await workspace.cli('alerts', 'test', '--channel', 'log', '--json');
  expect([one.code, documentOf<unknown>(one)]).toEqual([
    0,
    { channels: [{ channel: 'log', way: 'file', error: null }] },
  ]);
  const [line = ''] = lines(workspace);
  expect(JSON.parse(line)).toMatchObject({ test: true, title: 'a test of channel log', alerts: [] });
  expect(await workspace.cli('alerts', 'test', '--channel', 'lgo')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no channel of alerts "lgo". It has: log, gone.'),
  });
});

it('no channel gets anything of a learner, and a webhook’s receiver can check who calls', async () => {
  const mail = await mailServer();
  const hook = await receiver();
  const workspace = await testWorkspace({
    alerts: {
      channels: [
        {
          name: 'mail',
          email: { host: '127.0.0.1', port: mail.port, from: 'r@example.com', to: ['ops@example.com'] },
        },
        ...['json', 'slack', 'teams'].map((shape) => ({
          name: shape,
          webhook: { url: '${HOOK}', shape, secret: '${HOOK_KEY}' },
        })),
        { name: 'program', command: ['./keep.sh'] },
        TO_FILE,
      ],
    },
    sandbox: { learners: { unknownContaining: 'unknown' } },
    env: { HOOK: hook.url, HOOK_KEY: 'the key' },
  });
  const { root } = workspace;
  writeFileSync(join(root, 'keep.sh'), '#!/bin/sh\ncat >> kept.jsonl\n');
  chmodSync(join(root, 'keep.sh'), 0o700);
  workspace.drop('canary.csv', csvOf(ROWS));
  workspace.drop('Kanari.csv', 'Who,What\ncanary,Kanari\n');
  await workspace.cli('run');
  const received = [
    ...mail.mails.map(readableMail),
    ...hook.posts.map(({ body }) => body),
    readFileSync(join(root, 'kept.jsonl'), 'utf8'),
    readFileSync(join(root, TO_FILE.file), 'utf8'),
  ];
  expect(received).toHaveLength(6);
  for (const text of received) {
    expect(text).toMatch(/header-missing/);
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  }
  const [snippet = ''] = fencesOf(document('docs/alerts.md'), 'js');
  const module = join(tempFolder(), 'verify.mjs');
  writeFileSync(module, snippet);
  const { isFromRegistrar } = (await import(module)) as { isFromRegistrar(...args: unknown[]): boolean };
  for (const { body, signature } of hook.posts) {
    expect(isFromRegistrar(signature, body, 'the key')).toBe(true);
    expect(isFromRegistrar(signature, `${body} `, 'the key')).toBe(false);
    expect(isFromRegistrar(signature, body, 'another')).toBe(false);
    expect(isFromRegistrar(signature, body, 'the key', Date.now() + 301_000)).toBe(false);
  }
});

it('a webhook gets each run that has ended, once and signed, and other channels none', async () => {
  const hook = await receiver();
  const webhook = { url: '${HOOK}', secret: '${HOOK_KEY}' };
  const workspace = await testWorkspace({
    alerts: { channels: [{ name: 'lms', webhook, only: ['run'] }, TO_FILE] },
    env: { HOOK: hook.url, HOOK_KEY: 'the key' },
  });
  workspace.drop('good.csv', csvOf(exportRows(2)));
  await workspace.run();
  await workspace.run();
  const ended = hook.posts.map(({ body }) => (JSON.parse(body) as { alerts: unknown[] }).alerts);
  const run = { event: 'opened', kind: 'run', code: 'done', remedy: '' };
  expect(ended).toMatchObject([
    [{ ...run, subject: '1', facts: { trigger: 'cron', files: 1, rows: 3 }, title: 'Run 1 ended: done' }],
    [{ ...run, subject: '2', facts: { files: 0, rows: 0 } }],
  ]);
  expect(hook.posts.map(({ signature }) => signature)).toEqual([
    expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
  ]);
  expect(workspace.files('.').filter((name) => name.endsWith('alerts.jsonl'))).toEqual([]);
  expect((await workspace.cli('alerts', '--json')).stdout).toContain('"open": []');
});

it('only one of several runs that end at once sends the notification', async () => {
  const workspace = await testWorkspace({ alerts: { channels: [{ name: 'slow', command: ['./slow.sh'] }] } });
  writeFileSync(join(workspace.root, 'slow.sh'), '#!/bin/sh\nsleep 1\ncat >> alerts.jsonl\n');
  chmodSync(join(workspace.root, 'slow.sh'), 0o700);
  workspace.drop('b.csv', csvOf([exportRow(8, { email: 'no address' })]));
  await workspace.cli('run', '--no-push');
  const sent = notifications(workspace).length;
  workspace.drop('c.csv', csvOf([exportRow(9, { at: 'whenever' })]));
  await Promise.all([workspace.start('run').ended, workspace.cli('run'), workspace.cli('run')]);
  expect(notifications(workspace).slice(sent)).toEqual([
    [expect.stringContaining('opened cause academy timestamp')],
  ]);
});

it('alerts that can’t be sent at all leave the run unchanged, and are named', async () => {
  const workspace = await testWorkspace({ alerts: { channels: [TO_FILE] } });
  await workspace.cli('run');
  await breakInserts(workspace, 'alert', 'on purpose');
  workspace.drop('b.csv', csvOf([...exportRows(2), exportRow(8, { email: 'no address' })]));
  const { code, stdout, stderr } = await workspace.cli('run', '--json');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'notifications could not be sent: on purpose. The result of the run itself is unchanged',
  );
  expect(JSON.parse(stdout)).toMatchObject({ exit: 'attention', states: { accepted: 2 } });
});

interface List {
  readonly open: readonly { readonly title: string }[];
}

function lines({ root }: TestWorkspace): string[] {
  return readFileSync(join(root, TO_FILE.file), 'utf8').trimEnd().split('\n');
}

/** For each message of the file: event, kind, subject and code of its alerts. */
function notifications(workspace: TestWorkspace): string[][] {
  return lines(workspace).map((line) => {
    const { alerts } = JSON.parse(line) as { alerts: Readonly<Record<string, string | null>>[] };
    return alerts
      .map(({ event, kind, subject, code }) =>
        [event, kind, subject, ...(code === null ? [] : [code])].join(' '),
      )
      .sort();
  });
}

/** A web server that keeps what is posted to it, until the test ends. */
async function receiver() {
  const posts: { readonly body: string; readonly signature: unknown }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      posts.push({ body, signature: request.headers['x-registrar-signature'] });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posts };
}
