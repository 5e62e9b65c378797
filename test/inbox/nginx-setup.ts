import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { findProgram } from '../support/find-program.js';
import { killTree } from '../support/kill-tree.js';
import { answers, freePort } from '../support/ports.js';
import { tempFolder } from '../support/temp-folder.js';
import { testWorkspace } from '../support/workspace.js';

export const csv = (count: number) => csvOf(exportRows(count));

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));

/** An nginx on loopback that serves a folder by HTTPS to the account lms; ended with the test. */
export async function nginx() {
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
export const inboxAt = (port: number) => ({
  https: {
    url: `https://127.0.0.1:${port}/out/march.csv`,
    ...{ caFile: tlsFile('self-signed.pem'), user: 'lms', password: '${REGISTRAR_INBOX_SECRET}' },
  },
});

/** A workspace whose source reads the file at a port. */
export function readerAt(
  port: number,
  env: Readonly<Record<string, string>> = { REGISTRAR_INBOX_SECRET: 's3cret' },
) {
  return testWorkspace({ sources: { academy: { inbox: inboxAt(port) } }, env });
}
