import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { visibleText } from '../../src/domain/text/visible-text.js';
import { largeCsv } from '../support/exports.js';
import { s3Server } from '../support/s3-server.js';
import { sampled } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { cuttingPort } from '../support/sftp-server.js';
import { type TestWorkspace, until } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';
import { killedFetches } from './killed-fetches.js';
import {
  csv,
  DENIED,
  expectLeftUntilAllowed,
  listening,
  readerOf,
  refusingPort,
  unmatchedOf,
  workspaceOf,
} from './s3-setup.js';

/**
 * A port before the server that gives its listings in pages of so many files: the server itself can't, because Node.js has no DES any
 * more.
 */
async function pagedListing(port: number, perPage: number): Promise<number> {
  const front = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', `http://127.0.0.1:${port}`);
    const from = Number(url.searchParams.get('continuation-token') ?? 0);
    url.searchParams.delete('continuation-token');
    const { authorization = '', host: _, connection: __, ...headers } = request.headers;
    const answer = await fetch(url, {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), authorization },
    });
    if (!url.searchParams.has('list-type')) {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      return response.end(Buffer.from(await answer.arrayBuffer()));
    }
    const text = await answer.text();
    const all = text.match(/<Contents>.*?<\/Contents>/gs) ?? [];
    const next = from + perPage;
    const more =
      next < all.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    const page = all.slice(from, next).join('');
    return response.end(
      text.replace(/<Contents>.*<\/Contents>/s, page).replace(/<IsTruncated>.*?<\/IsTruncated>/s, more),
    );
  });
  return listening(front);
}

const arrivals = (workspace: TestWorkspace) =>
  workspace.query<{ n: number }>('select count(*) as n from arrival')[0]?.n;

describe('files of a bucket', () => {
  it('are fetched, delivered, and left where they are, and fetched again where they have other bytes', async () => {
    const server = await s3Server();
    const workspace = await readerOf(server);
    await server.put('out/march.csv', csv(3));
    await server.put('out/年度 ‹1›.csv', csv(1, 10));
    await server.put('out/notes.md', 'not for us');
    await server.put('out/deeper/april.csv', csv(1, 20));
    await server.put('other/april.csv', csv(1, 20));
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    expect(report.states).toMatchObject({ accepted: 4 });
    expect(await server.keys()).toHaveLength(5);
    await server.put('out/march.csv', csv(4));
    // What is no name for a file is reported and left.
    const names = ['a\tb.csv', 'c\nd.csv', 'e\u007f.csv', 'f\u0001.csv', ' g.csv'];
    for (const name of names) await server.put(`out/${name}`, csv(1));
    await server.put("out/o'neil $(x) `y` +%20&.csv", csv(2, 30));
    const again = await workspace.run();
    expect([again.code, again.report.states.accepted]).toEqual([1, 3]);
    expect(
      unmatchedOf(again.report)
        .map(({ path, code }) => `${code} ${path.split('/out/')[1]}`)
        .sort(),
    ).toEqual(names.map((name) => `bad-name ${visibleText(name)}`).sort());
    expect(await server.keys()).toHaveLength(11);
    expect(workspace.states()).toEqual({ accepted: 7 });
    // The others have the bytes that they had.
    expect(workspace.files('archive')).toHaveLength(4);
    expect(arrivals(workspace)).toBe(4);
    expect(workspace.files('inbox')).toEqual([]);
  });

  it('are settled as their sources say once their rows count, and not before', async () => {
    const server = await s3Server();
    const inbox = (prefix: string, originals: string) => ({
      inbox: { s3: { ...server.settings, prefix, originals } },
    });
    const workspace = await workspaceOf({
      archive: inbox('archiving', 'archive'),
      delete: inbox('deleting', 'delete'),
    });
    const put = async (more: number) => {
      await server.put('archiving/good one.csv', csv(2 + more));
      await server.put('deleting/good one.csv', csv(2 + more, 10));
    };
    await put(0);
    for (const prefix of ['archiving', 'deleting'])
      await server.put(`${prefix}/bad.csv`, 'nothing that is an export');
    await workspace.run();
    const archived = 'archiving/archive/good one.csv';
    expect(await server.keys()).toEqual([archived, 'archiving/bad.csv', 'deleting/bad.csv']);
    expect((await server.get(archived)).toString()).toBe(csv(2));
    // Other bytes under the same name don't replace what is archived.
    await put(1);
    await workspace.run();
    const again = 'archiving/archive/good one (2).csv';
    expect(await server.keys()).toEqual([again, archived, 'archiving/bad.csv', 'deleting/bad.csv']);
    expect(workspace.states()).toEqual({ accepted: 6 });
  });

  it('may be archives, wait for a done-marker, and be more than one page of the listing shows', async () => {
    const server = await s3Server();
    const endpoint = `http://127.0.0.1:${await pagedListing(server.port, 2)}`;
    const workspace = await readerOf(server, { endpoint, originals: 'delete', doneMarker: '.done' });
    await server.put('out/march.zip', writeZip([{ name: 'a.csv', content: csv(2) }]));
    expect((await workspace.run()).report.rows).toBe(0);
    const files = Array.from({ length: 5 }, (_, index) => `out/file-${index}.csv`);
    for (const [index, file] of files.entries()) await server.put(file, csv(1, 10 + index));
    for (const file of [...files, 'out/march.zip']) await server.put(`${file}.done`, '');
    expect((await workspace.run()).report.dispositions.staged).toBe(7);
    expect(await server.keys()).toEqual([]);
  });

  it('are fetched by two services, each of them once', async () => {
    const server = await s3Server();
    const workspace = await readerOf(server, { poll: '100ms' });
    const [here, apart] = [workspace.begin('schedule'), workspace.start('schedule')];
    for (let index = 0; index < 5; index += 1) await server.put(`out/file-${index}.csv`, csv(1, index));
    await until('all rows are accepted', () => workspace.posts() >= 5 && workspace.states().accepted === 5);
    here.stop();
    apart.kill('SIGTERM');
    await Promise.all([here.ended, apart.ended]);
    expect(arrivals(workspace)).toBe(5);
  });
});

describe('a bucket that can not be used', () => {
  it('is an outage of its source, which ends by itself', async () => {
    const server = await s3Server();
    const workspace = await readerOf(server, { endpoint: 'http://127.0.0.1:9' });
    await server.put('out/march.csv', csv(2));
    const { code, stderr } = await workspace.run();
    expect(code).toBe(74);
    expect(stderr).toContain('for source academy: it refuses the connection');
    setSources(workspace, { inbox: { s3: server.settings } });
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 2 });
  });

  it.each<[string, object, Record<string, string>, number, string]>([
    ['it does not exist', { bucket: 'nowhere' }, {}, 2, 'there is no bucket nowhere'],
    ['the account is unknown', {}, { AWS_ACCESS_KEY_ID: 'OTHER' }, 4, 'access denied (InvalidAccessKeyId)'],
  ])('because %s names that reason', async (_, settings, env, exit, words) => {
    const server = await s3Server();
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const workspace = await readerOf(server, { ...settings });
    const { code, stdout, stderr } = await workspace.run('--verbose');
    expect(code).toBe(exit);
    expect(stderr).toContain(words);
    expect(stdout + stderr).not.toContain('s3cret');
  });

  it('because it dies while it sends costs no row, and its originals are settled once it is back', async () => {
    const server = await s3Server();
    const port = await cuttingPort(server.port, 200_000, server.stop);
    const inbox = (endpoint: string) => ({ s3: { ...server.settings, endpoint, originals: 'delete' } });
    const workspace = await readerOf(server);
    setSources(workspace, { inbox: inbox(`http://127.0.0.1:${port}`) });
    await server.put('out/march.csv', largeCsv(50));
    const broken = await workspace.run('--no-push');
    expect([broken.code, broken.report.rows]).toEqual([74, 0]);
    expect(workspace.files('inbox')).toEqual([]);
    await server.start();
    expect(await server.keys()).toEqual(['out/march.csv']);
    setSources(workspace, { inbox: inbox(`http://127.0.0.1:${server.port}`) });
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(50);
    expect(await server.keys()).toEqual([]);
  });
});

describe('an object that the account has no right to', () => {
  it('read is named and left, and the others come in', async () => {
    const server = await s3Server();
    const { endpoint, refused } = await refusingPort(server.port);
    const workspace = await readerOf(server, { endpoint });
    await server.put('out/secret.csv', csv(2));
    await server.put('out/march.csv', csv(2, 10));
    refused.set('s3:GetObject', DENIED);
    const { code, report } = await workspace.run();
    expect([code, report.states.accepted]).toEqual([1, 2]);
    expect(unmatchedOf(report)).toMatchObject([
      {
        reason: 'is left on the server: could not read secret.csv: access denied (AccessDenied)',
        remedy: expect.stringContaining('Give these credentials the right'),
      },
    ]);
    refused.clear();
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.states()).toEqual({ accepted: 4 });
  });

  it('be copied stays until it may be, is archived once, and its rows count once', async () => {
    await expectLeftUntilAllowed('s3:PutObject', DENIED, 'access denied (AccessDenied)');
  });
});

describe('a fetch from a bucket that is killed', () => {
  it('at any of its moments, run after run, brings each row in once, and settles the originals', async () => {
    const server = await s3Server();
    const workspace = await readerOf(server, { originals: 'archive' });
    const moments = sampled(
      ['remote-downloaded', 'remote-placed', 'remote-recorded', 'drop-published', 'remote-settled'],
      2,
    );
    await killedFetches(workspace, moments, (name, index) => server.put(`out/${name}`, csv(3, index * 3)));
    expect(await server.keys()).toEqual(moments.map((moment) => `out/archive/${moment}.csv`).sort());
  });
});

it('registrar source test says what the account may do, and leaves nothing behind', async () => {
  const server = await s3Server();
  const workspace = await readerOf(server, { originals: 'archive' });
  await server.put('out/march.csv', csv(2));
  const { code, stdout } = await workspace.cli('source', 'test', 'academy', '--json');
  expect(code).toBe(0);
  const { checks } = JSON.parse(stdout) as { checks: readonly { message: string }[] };
  expect(checks.map(({ message }) => message)).toEqual([
    expect.stringContaining('holds 1 file, of which 1 match'),
    'lets files be read',
    'lets files be archived',
  ]);
  expect(await server.keys()).toEqual(['out/march.csv']);
});

it('a dry run lists what would be fetched, also before the first run, and fetches nothing', async () => {
  const server = await s3Server();
  const workspace = await readerOf(server);
  await server.put('out/march.csv', csv(2));
  expect((await workspace.cli('run', '--dry-run')).stdout).toContain('march.csv: ');
  expect(workspace.files('inbox')).toEqual([]);
  await workspace.run();
  await server.put('out/april.csv', csv(1, 5));
  const { code, stdout } = await workspace.cli('run', '--dry-run', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    sources: [{ source: 'academy', files: [], remote: [{ file: 'april.csv', bytes: csv(1, 5).length }] }],
  });
  expect((await workspace.cli('run', '--dry-run')).stdout).toContain(
    `april.csv: ${csv(1, 5).length} bytes; is on the server, and would be fetched`,
  );
  expect(arrivals(workspace)).toBe(1);
  await server.stop();
  const away = await workspace.cli('run', '--dry-run');
  expect(away.stdout).toContain('would not be imported: could not list');
});
