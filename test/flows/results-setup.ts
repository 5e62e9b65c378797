import { mailServer } from '../support/mail-server.js';
import { testWorkspace } from '../support/workspace.js';

export const FROM = 'registrar@example.com';

export async function mailWorkspace(mail: Readonly<Record<string, unknown>> = {}, port?: number) {
  const server = await mailServer();
  const email = { host: '127.0.0.1', port: port ?? server.port, from: FROM, to: ['ops@example.com'] };
  const workspace = await testWorkspace({
    sources: { academy: { results: { mail: { to: 'lms@academy.example', ...mail } } } },
    alerts: { channels: [{ name: 'ops', email, only: ['disk'] }] },
  });
  return { workspace, mails: server.mails };
}
