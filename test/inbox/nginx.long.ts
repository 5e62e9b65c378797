import { expect, it } from 'vitest';
import { largeCsv } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort } from '../support/sftp-server.js';
import { csv, inboxAt, nginx, readerAt } from './nginx-setup.js';

it('a connection that breaks in the middle of a file imports nothing of it, and the next look all', {
  tags: ['nginx'],
}, async () => {
  const server = await nginx();
  server.serve(largeCsv(20));
  await server.start();
  const workspace = await readerAt(server.port);
  for (const afterBytes of [3_000, 20_000, 200_000]) {
    setSources(workspace, { inbox: inboxAt(await cuttingPort(server.port, afterBytes)) });
    expect((await workspace.run()).code).toBe(74);
    expect(workspace.query('select count(*) as n from arrival')).toEqual([{ n: 0 }]);
    expect(workspace.files('processing')).toEqual([]);
  }
  setSources(workspace, { inbox: inboxAt(server.port) });
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
