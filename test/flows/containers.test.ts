import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exportRows, workbookOf } from '../support/exports.js';
import { sftpServer } from '../support/sftp-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';
import { csv, drops, ZIP } from './containers-setup.js';

describe('files in a container', () => {
  it('are imported once, each as a drop of its own, and the container is archived as is', async () => {
    const workspace = await testWorkspace();
    workspace.drop('march.zip', ZIP);
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    expect(report.states).toMatchObject({ accepted: 5 });
    expect(report.files.map(({ file }) => file).sort()).toEqual([
      'march.zip#out_april.csv',
      'march.zip#out_march.csv',
    ]);
    expect(workspace.files('archive')).toEqual(['academy/1-march.zip']);
    expect(readFileSync(join(workspace.root, 'archive/academy/1-march.zip'))).toEqual(ZIP);
    expect(workspace.files('processing')).toEqual([]);
    // Packed, in another archive or by themselves.
    workspace.drop('march.csv', csv(3));
    workspace.drop('april.csv.gz', gzipSync(csv(2, 3)));
    workspace.drop('again.zip', ZIP);
    workspace.drop('both.zip', writeZip([{ name: 'april.csv', content: csv(2, 3) }]));
    const again = await workspace.run();
    expect([again.code, again.report.rows]).toEqual([0, 0]);
    expect(workspace.states()).toEqual({ accepted: 5 });
    expect(workspace.files('archive')).toEqual([
      'academy/1-again.zip',
      'academy/1-march.csv',
      'academy/1-march.zip',
      'academy/2-april.csv.gz',
      'academy/2-both.zip',
    ]);
    // Nothing has changed in archive/.
    const [arrived] = workspace.query('select count(*) as n from arrival');
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.query('select count(*) as n from arrival')).toEqual([arrived]);
    expect(workspace.query('select count(*) as n from changed_file')).toEqual([{ n: 0 }]);
    // Files that change there are imported as other files.
    const changed = writeZip([{ name: 'march.csv', content: csv(4) }]);
    writeFileSync(join(workspace.root, 'archive/academy/1-march.zip'), changed);
    expect((await workspace.run()).code).toBe(1);
    expect(workspace.states()).toEqual({ accepted: 5 });
    expect(workspace.query('select count(*) as n from changed_file')).toEqual([{ n: 1 }]);
  });

  it('may be workbooks', async () => {
    const workspace = await testWorkspace();
    workspace.drop('packed.xlsx.gz', gzipSync(workbookOf(exportRows(2))));
    workspace.drop('march.zip', writeZip([{ name: 'a.xlsx', content: workbookOf(exportRows(2, 2)) }]));
    workspace.drop('plain.xlsx', workbookOf(exportRows(2, 4)));
    expect((await workspace.run()).report.states).toMatchObject({ accepted: 6 });
    expect(drops(workspace).map(({ file }) => file)).toEqual([
      'packed.xlsx.gz',
      'march.zip#a.xlsx',
      'plain.xlsx',
    ]);
  });

  it('are imported where another file of the archive is refused, and the archive is refused with the reason', async () => {
    const workspace = await testWorkspace();
    const archive = writeZip([
      { name: 'bad.csv', content: 'nothing that is an export' },
      { name: 'good.csv', content: csv(2) },
    ]);
    workspace.drop('march.zip', archive);
    const { code } = await workspace.run();
    expect(code).toBe(1);
    expect(workspace.states()).toEqual({ accepted: 2 });
    expect(workspace.files('rejected')).toEqual(['academy/march.zip', 'academy/march.zip.reason.txt']);
    expect(readFileSync(join(workspace.root, 'rejected/academy/march.zip'))).toEqual(archive);
  });

  it('are found by trace and downloaded packed, and purged with their container', async () => {
    const workspace = await testWorkspace();
    workspace.drop('march.zip', ZIP);
    await workspace.run();
    const { stdout } = await workspace.cli('trace', 'march.zip#out_april.csv:2');
    expect(stdout).toContain('accepted');
    const purged = await workspace.cli(
      'purge',
      '--before',
      new Date().toISOString(),
      '--archive',
      '--because',
      'old',
    );
    expect(purged).toMatchObject({ code: 0 });
    expect(workspace.files('archive')).toEqual([]);
  });
});

describe('a container that is refused', () => {
  it('moves to rejected/ as a whole with one sentence, and its refusal ends once its files come in', async () => {
    const workspace = await testWorkspace({ sources: { academy: { match: '*.zip' } } });
    workspace.drop('march.zip', ZIP);
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report.files).toMatchObject([{ file: 'march.zip', state: 'refused' }]);
    expect(readFileSync(join(workspace.root, 'rejected/academy/march.zip.reason.txt'), 'utf8')).toBe(
      'none of the 3 files in the archive matches *.zip. Name these files in match of the source too, as in "*.{csv,zip}", and put the archive into the inbox again.\n',
    );
    const config = join(workspace.root, 'registrar.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('"*.zip"', '"*.{csv,zip}"'));
    renameSync(
      join(workspace.root, 'rejected/academy/march.zip'),
      join(workspace.root, 'inbox/academy/march.zip'),
    );
    expect((await workspace.run()).code).toBe(0);
    expect(workspace.files('rejected')).toEqual([]);
    const status = documentOf<{ refusedFiles: unknown[] }>(await workspace.cli('status', '--json'));
    expect(status.refusedFiles).toEqual([]);
  });

  it('that leads out of its folder, is cut off, is cut off and packed or has a password is refused, and other files are imported', async () => {
    const refused: Readonly<Record<string, readonly [content: Buffer, words: string]>> = {
      'way-out.zip': [writeZip([{ name: '../march.csv', content: csv(1) }]), 'outside of the folder'],
      'cut.zip': [ZIP.subarray(0, 90), 'is cut off or damaged'],
      'packed.zip': [gzipSync(csv(1)).subarray(0, 60), 'is cut off or damaged'],
      'locked.zip': [writeZip([{ name: 'march.csv', content: csv(1), encrypted: true }]), 'with a password'],
    };
    const workspace = await testWorkspace();
    for (const [name, [content]] of Object.entries(refused)) workspace.drop(name, content);
    workspace.drop('good.csv', csv(2));
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(workspace.states()).toEqual({ accepted: 2 });
    const refusals = report.files.map(({ file, refusal }) => [file, refusal]);
    expect(Object.fromEntries(refusals)).toMatchObject(
      Object.fromEntries(
        Object.entries(refused).map(([name, [, words]]) => [name, expect.stringContaining(words)]),
      ),
    );
    expect(workspace.files('processing')).toEqual([]);
  });
});

describe('an import of a container that is killed', () => {
  it('resumes within the half-staged file', async () => {
    const workspace = await testWorkspace();
    workspace.drop('large.csv.gz', gzipSync(csv(2_100)));
    const killed = workspace.startWith({ REGISTRAR_FAILPOINT: 'batch-committed' }, 'run', '--no-push');
    expect((await killed.ended).code).toBeNull();
    const [half] = workspace.query<{ line: number }>('select staged_line as line from drop_file');
    expect(half?.line).toBeGreaterThan(0);
    expect(half?.line).toBeLessThan(2_100);
    const { code } = await workspace.run('--no-push');
    expect(code).toBe(0);
    expect(workspace.states()).toEqual({ waiting: 2_100 });
    expect(drops(workspace)).toEqual([{ file: 'large.csv.gz', state: 'published' }]);
    expect(workspace.files('processing')).toEqual([]);
  });
});

describe('inspect and check', () => {
  const countsOf = async (workspace: TestWorkspace, ...args: string[]) =>
    documentOf<{ counts: object; drop: object }>(await workspace.cli(...args, '--json'));

  it('show the one file in a container, with a source or without, and leave nothing that was unpacked', async () => {
    const workspace = await testWorkspace();
    const away = tempFolder();
    vi.stubEnv('TMPDIR', away);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [name, content] of [
      ['march.csv.gz', gzipSync(csv(3))],
      [
        'march.zip',
        writeZip([
          { name: 'a.csv', content: csv(3) },
          { name: 'readme.md', content: 'x' },
        ]),
      ],
      ['march.xlsx.gz', gzipSync(workbookOf(exportRows(3)))],
    ] as const) {
      const file = join(workspace.root, name);
      writeFileSync(file, content);
      expect(await countsOf(workspace, 'inspect', file)).toMatchObject({ counts: { records: 4 } });
      const inspected = await countsOf(workspace, 'inspect', file, '--source', 'academy');
      expect(inspected).toMatchObject({ counts: { records: 4 } });
      const checked = await countsOf(workspace, 'check', file, '--source', 'academy');
      expect(checked).toMatchObject({ dispositions: { staged: 3 }, drop: inspected.drop });
    }
    expect(readdirSync(away)).toEqual([]);
    expect(workspace.files('processing')).toEqual([]);
  });

  it('refuse a container of several files by its name, and one whose file can’t be read as a table', async () => {
    const workspace = await testWorkspace();
    const refusalOf = async (name: string, content: Buffer, ...args: string[]) => {
      const file = join(workspace.root, name);
      writeFileSync(file, content);
      const { code, stderr } = await workspace.cli(args[0] ?? 'inspect', file, ...args.slice(1));
      return [code, stderr];
    };
    const several = expect.stringMatching(
      /both\.zip holds 2 files, and each is imported as a file of its own/,
    );
    const both = writeZip(['a.csv', 'b.csv'].map((name) => ({ name, content: csv(1) })));
    expect(await refusalOf('both.zip', both)).toEqual([2, several]);
    expect(await refusalOf('both.zip', both, 'check', '--source', 'academy')).toEqual([2, several]);
    const [code, odd] = await refusalOf('odd.gz', gzipSync('%PDF-1.4 no table'));
    expect([code, odd]).toEqual([1, expect.stringContaining('the file is a PDF document')]);
    expect(odd).not.toContain('.tmp');
  });
});

it('a container from a server is settled once all files in it count, and not before', {
  tags: ['sshd'],
}, async () => {
  const server = await sftpServer();
  const sftp = { ...server.settings, originals: 'delete' };
  const workspace = await testWorkspace({ sources: { academy: { inbox: { sftp } } } });
  const send = (name: string, content: Buffer) => {
    writeFileSync(join(server.folder, '.sending'), content);
    renameSync(join(server.folder, '.sending'), join(server.folder, name));
  };
  send('good.zip', ZIP);
  send(
    'bad.zip',
    writeZip([
      { name: 'a.csv', content: csv(1, 9) },
      { name: 'b.csv', content: 'no export' },
    ]),
  );
  send('one.csv.gz', gzipSync(csv(1, 20)));
  await workspace.run();
  expect(workspace.states()).toEqual({ accepted: 7 });
  expect(workspace.query('select name from remote_file where settled_at is null')).toEqual([
    { name: 'bad.zip' },
  ]);
});
