import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CliResult } from '../support/command-line.js';
import { csvOf, exportRows } from '../support/exports.js';
import { sftpServer } from '../support/sftp-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** Files that come in by one run. */
const FILES = Number(process.env.REMOTE_FILES ?? 5_000);

/** Names in one listing. */
const NAMES = Number(process.env.LISTED_NAMES ?? 100_000);

const csv = (row: number) => csvOf(exportRows(1, row));

const ACCOUNT = { AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };

/** All of the listing is held in memory, and little more. */
const LITTLE_MEMORY = { ...ACCOUNT, NODE_OPTIONS: '--max-old-space-size=256' };

/** Runs a command line with little memory; a listing that needs none is looked at within this process. */
function inLittleMemory({ cli, startWith }: TestWorkspace, ...words: string[]): Promise<CliResult> {
  return NAMES < 10_000 ? cli(...words) : startWith(LITTLE_MEMORY, ...words).ended;
}

describe(`${FILES} files of a server`, () => {
  const counted = (workspace: TestWorkspace) => [
    workspace.query('select count(*) as n, count(distinct drop_id) as files from arrival'),
    workspace.query('select count(*) as n from remote_file where settled_at is not null'),
    workspace.files('inbox'),
  ];
  const each = [[{ n: FILES, files: FILES }], [{ n: FILES }], []];

  it('come in from an SFTP server by one run, each once', { tags: ['sshd'] }, async () => {
    const server = await sftpServer();
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(join(server.folder, `file-${file}.csv`), csv(file));
    const sftp = { ...server.settings, originals: 'delete' };
    const workspace = await testWorkspace({ sources: { academy: { inbox: { sftp } } } });
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(FILES);
    expect(counted(workspace)).toEqual(each);
    expect((await workspace.run('--no-push')).report.rows).toBe(0);
  });

  it('come in from a bucket by one run, each once', async () => {
    const { inbox } = await crowdedBucket(Array.from({ length: FILES }, (_, file) => `file-${file}.csv`));
    const s3 = { ...inbox.s3, originals: 'delete' };
    const workspace = await testWorkspace({ sources: { academy: { inbox: { s3 } } } });
    expect((await workspace.run('--no-push')).report.dispositions.staged).toBe(FILES);
    expect(counted(workspace)).toEqual(each);
    expect((await workspace.run('--no-push')).report.rows).toBe(0);
  });
});

const names = (ending: string) =>
  Array.from({ length: NAMES }, (_, at) => `file-${String(at).padStart(6, '0')}.${ending}`);

/** Writes files with these names and no content. */
function fill(folder: string, ending: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names(ending)) writeFileSync(join(folder, name), '');
  return folder;
}

/** A server with these objects in the folder out/ of its bucket, each an export of one row. s3rver gives no second page of a listing. */
async function crowdedBucket(listed: readonly string[]) {
  const requests: string[] = [];
  const gone = new Set<string>();
  const PAGE = 1_000;
  const head = { etag: '"1"', 'last-modified': new Date(1_700_000_000_000).toUTCString() };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (!url.searchParams.has('list-type')) {
      const name = url.pathname.split('/').at(-1) ?? '';
      requests.push(`${request.method} ${name}`);
      if (request.method === 'DELETE') {
        gone.add(name);
        response.writeHead(204).end();
        return;
      }
      const text = csv(Number(/\d+/.exec(url.pathname)?.[0] ?? 0));
      response.writeHead(200, { ...head, 'content-length': text.length });
      response.end(request.method === 'HEAD' ? '' : text);
      return;
    }
    const from = Number(url.searchParams.get('continuation-token') ?? 0);
    const left = listed.filter((name) => !gone.has(name));
    const objects = left.slice(from, from + PAGE).map((name) => {
      const size = csv(Number(/\d+/.exec(name)?.[0] ?? 0)).length;
      const facts = `<LastModified>2023-11-14T22:13:20.000Z</LastModified><ETag>"1"</ETag><Size>${size}</Size>`;
      return `<Contents><Key>out/${name}</Key>${facts}</Contents>`;
    });
    const next = from + PAGE;
    const more =
      next < left.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    response.end(`<ListBucketResult>${more}${objects.join('')}</ListBucketResult>`);
  });
  for (const [name, value] of Object.entries(ACCOUNT)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, inbox: { s3: { bucket: 'exports', prefix: 'out', endpoint, pathStyle: true } } };
}

interface Plan {
  readonly sources: readonly {
    readonly files: readonly { readonly file: string }[];
    readonly remote: readonly { readonly file: string }[];
  }[];
}

/** That a dry run loses none of the names, says how many it doesn't show, and needs little memory. */
async function expectAllListed(inbox: unknown): Promise<void> {
  const workspace = await testWorkspace({ sources: { academy: { inbox } } });
  const text = await inLittleMemory(workspace, 'run', '--dry-run');
  expect([text.code, text.stdout.split('\n').length < 40]).toEqual([0, true]);
  expect(text.stdout).toContain(`… and ${NAMES - 20} more; --json lists all`);
  const json = await inLittleMemory(workspace, 'run', '--dry-run', '--json');
  const [source] = documentOf<Plan>(json).sources;
  const listed = [...(source?.files ?? []), ...(source?.remote ?? [])].map(({ file }) => file);
  expect(listed.length).toBe(NAMES);
  expect(listed.sort()).toEqual(names('csv'));
}

describe(`${NAMES} names in one listing`, () => {
  it('of a folder are all there', async () => {
    await expectAllListed(fill(tempFolder(), 'csv'));
  });

  it('of an SFTP server are all there', { tags: ['sshd'] }, async () => {
    const server = await sftpServer();
    fill(server.folder, 'csv');
    await expectAllListed({ sftp: server.settings });
  });

  it('of a bucket are all there', async () => {
    const { requests, inbox } = await crowdedBucket(names('csv'));
    await expectAllListed(inbox);
    expect(requests).toEqual([]);
  });

  it('that a source does not match are not looked at, and those that it does come in', async () => {
    const own = ['1.csv', '2.csv', '3.csv'];
    const { requests, inbox } = await crowdedBucket([...names('log'), ...own]);
    const workspace = await testWorkspace({ sources: { academy: { inbox } } });
    const { stdout } = await inLittleMemory(workspace, 'run', '--json', '--no-push');
    expect(JSON.parse(stdout)).toMatchObject({ dispositions: { staged: 3 } });
    expect(new Set(requests)).toEqual(new Set(own.flatMap((name) => [`GET ${name}`, `HEAD ${name}`])));
  });

  it('of an SFTP server hold up nothing that is matched among them', { tags: ['sshd'] }, async () => {
    const server = await sftpServer();
    fill(server.folder, 'log');
    for (const file of [1, 2, 3]) writeFileSync(join(server.folder, `${file}.csv`), csv(file));
    const sftp = { ...server.settings, originals: 'archive' };
    const workspace = await testWorkspace({ sources: { academy: { inbox: { sftp } } } });
    const { stdout } = await inLittleMemory(workspace, 'run', '--json', '--no-push');
    expect(JSON.parse(stdout)).toMatchObject({ dispositions: { staged: 3 } });
  });
});
