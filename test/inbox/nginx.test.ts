import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRows, largeCsv } from '../support/exports.js';
import { findProgram } from '../support/find-program.js';
import { killTree } from '../support/kill-tree.js';
import { answers, freePort } from '../support/ports.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort } from '../support/sftp-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

const csv = (count: number) => csvOf(exportRows(count));

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));

/** An nginx on loopback that serves a folder by HTTPS to the account lms; ended with the test. */
async function nginx() {
  const folder = tempFolder();
  mkdirSync(join(folder, 'out'));
  const port = await freePort();
  const settings = `
    daemon off; pid ${folder}/pid; error_log ${folder}/errors; ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate ${tlsFile('self-signed.pem')}; ssl_certificate_key ${tlsFile('self-signed.key.pem')};
        auth_basic "exports"; auth_basic_user_file ${folder}/accounts;
        root ${folder};
      }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), settings);
  writeFileSync(join(folder, 'accounts'), 'lms:{PLAIN}s3cret\n');
  const start = async () => {
    const program = spawn(findProgram('nginx') ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: 'ignore',
    });
    const stop = async () => {
      if (program.exitCode !== null || !program.kill('SIGTERM')) return;
      await new Promise((ended) => program.once('exit', ended));
    };
    onTestFinished(stop);
    await answers(port);
    kill = () => killTree(program.pid ?? 0);
    return stop;
  };
  let kill = () => {};
  return {
    port,
    start,
    kill: () => kill(),
    append: (text: string) => appendFileSync(join(folder, 'out', 'march.csv'), text),
    serve: (text: string) => writeFileSync(join(folder, 'out', 'march.csv'), text),
    withdraw: () => rmSync(join(folder, 'out', 'march.csv')),
  };
}

/** The inbox of a source that reads the file at a port. */
const inboxAt = (port: number) => ({
  https: {
    url: `https://127.0.0.1:${port}/out/march.csv`,
    ...{ caFile: tlsFile('self-signed.pem'), user: 'lms', password: '${REGISTRAR_INBOX_SECRET}' },
  },
});

/** A workspace whose source reads the file at a port. */
function readerAt(
  port: number,
  env: Readonly<Record<string, string>> = { REGISTRAR_INBOX_SECRET: 's3cret' },
) {
  return testWorkspace({ sources: { academy: { inbox: inboxAt(port) } }, env });
}

interface Health {
  readonly health: { readonly findings: readonly { readonly code: string; readonly message: string }[] };
}

it('a file of nginx is fetched once, and again when it changes', { tags: ['nginx'] }, async () => {
  const server = await nginx();
  server.serve(csv(3));
  const workspace = await readerAt(server.port);
  await server.start();
  expect((await workspace.cli('source', 'test', 'academy')).code).toBe(0);
  const { code, report } = await workspace.run();
  expect([code, report.states.accepted]).toEqual([0, 3]);
  expect((await workspace.run()).report.rows).toBe(0);
  server.serve(csv(4));
  expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 1, duplicate: 3 });
  expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 2 }]);
});

it('an nginx that stops, refuses or lacks the file is an outage of the source, and no row is lost', {
  tags: ['nginx'],
}, async () => {
  const server = await nginx();
  const workspace = await readerAt(server.port);
  const awayFor = async () => {
    await workspace.run();
    const { findings } = documentOf<Health>(await workspace.cli('status', '--json')).health;
    return findings.find(({ code }) => code === 'inbox-away')?.message ?? null;
  };
  expect(await awayFor()).toContain('refuse');
  const stop = await server.start();
  expect(await awayFor()).toContain('404');
  server.serve(csv(2));
  expect(await awayFor()).toBeNull();
  expect(workspace.states()).toEqual({ accepted: 2 });
  server.withdraw();
  await stop();
  expect(await awayFor()).not.toBeNull();
  expect(workspace.states()).toEqual({ accepted: 2 });

  const stranger = await readerAt(server.port, { REGISTRAR_INBOX_SECRET: 'wrong' });
  await server.start();
  expect((await stranger.cli('source', 'test', 'academy')).stdout).toContain('401');
});

it('a connection that breaks in the middle of a file imports nothing of it, and the next look all', {
  tags: ['nginx'],
}, async () => {
  const server = await nginx();
  server.serve(largeCsv(20));
  await server.start();
  for (const afterBytes of [3_000, 20_000, 200_000]) {
    const workspace = await readerAt(await cuttingPort(server.port, afterBytes));
    await workspace.run();
    expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 0 }]);
    expect(workspace.files('processing')).toEqual([]);
  }
  const workspace = await readerAt(server.port);
  expect((await workspace.run()).report.states.accepted).toBe(20);
});

it('an nginx that is killed while it sends costs no row', { tags: ['nginx', 'linux'] }, async () => {
  const server = await nginx();
  server.serve(largeCsv(20));
  await server.start();
  const workspace = await readerAt(await cuttingPort(server.port, 200_000, server.kill));
  const { code, report } = await workspace.run();
  expect([code, report.rows]).toEqual([74, 0]);
  expect(workspace.files('inbox')).toEqual([]);
  await server.start();
  setSources(workspace, { inbox: inboxAt(server.port) });
  expect((await workspace.run()).report.states.accepted).toBe(20);
});

it('a file that is being written is left until it rests, and comes in whole', {
  tags: ['nginx'],
}, async () => {
  const server = await nginx();
  const lines = csv(400).split('\n');
  server.serve(`${lines[0]}\n`);
  await server.start();
  const workspace = await readerAt(server.port);
  setSources(workspace, { stableFor: '300ms' });
  let written = 1;
  const write = () => {
    if (written < lines.length - 1) server.append(`${lines[written]}\n`);
    written += 1;
  };
  const writer = setInterval(write, 20);
  try {
    expect((await workspace.run()).report.rows).toBe(0);
    expect(workspace.files('inbox')).toEqual([]);
  } finally {
    clearInterval(writer);
  }
  while (written < lines.length) write();
  expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(400);
});
