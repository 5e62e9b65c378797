import { expect, it } from 'vitest';
import { documentOf } from '../support/workspace.js';
import { csv, nginx, readerAt } from './nginx-setup.js';

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

  const unauthorized = await readerAt(server.port, { REGISTRAR_INBOX_SECRET: 'wrong' });
  await server.start();
  expect((await unauthorized.cli('source', 'test', 'academy')).stdout).toContain('401');
});
