import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { readableMail } from '../support/mail-server.js';
import { sampled } from '../support/samples.js';
import { setSources } from '../support/set-sources.js';
import { smallFileSystem } from '../support/small-file-system.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { FROM, mailWorkspace } from './results-setup.js';

/** Two good rows, and one without an address. */
const ROWS = [...exportRows(2), exportRow(12, { email: '=nobody at all' })];

/** A workspace whose source has a target for results. */
function senderOf(
  results: Readonly<Record<string, unknown>> = { folder: 'results' },
): Promise<TestWorkspace> {
  return testWorkspace({ sources: { academy: { results } } });
}

interface Result {
  readonly refusal: string | null;
  readonly rows: number;
  readonly waiting: number;
  readonly accepted: number;
}

const jsonIn = (folder: string, name = 'march.csv.result-1.json') =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result;

const lines = (path: string) => readFileSync(path, 'utf8').trim().split('\r\n').slice(1);

interface StatusDocument {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly health: { readonly findings: readonly { readonly code: string; readonly message: string }[] };
}

const statusOf = async (workspace: TestWorkspace) =>
  documentOf<StatusDocument>(await workspace.cli('status', '--json'));

const NAMES = ['accepted.csv', 'attention.xlsx', 'json', 'refused.csv'].map(
  (end) => `march.csv.result-1.${end}`,
);

describe('the result of a file', () => {
  it('has the accepted and the refused rows, the correction workbook, and counts that are those of the files', async () => {
    const workspace = await senderOf();
    workspace.drop('march.csv', csvOf(ROWS));
    expect((await workspace.run()).code).toBe(1);
    const folder = join(workspace.root, 'results');
    expect(workspace.files('results')).toEqual(NAMES);
    for (const name of NAMES) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(jsonIn(folder)).toMatchObject({
      source: 'academy',
      file: 'march.csv',
      drop: 1,
      refusal: null,
      balanced: true,
      rows: 3,
      accepted: 2,
      refused: 1,
      waiting: 0,
      files: ['accepted.csv', 'refused.csv', 'attention.xlsx'].map((end) => `march.csv.result-1.${end}`),
    });
    expect(lines(join(folder, 'march.csv.result-1.accepted.csv'))).toEqual([
      expect.stringMatching(/^march\.csv,2,learner0@example\.org,COURSE-0,2024-01-05T07:00:00\.000Z,20\d\d-/),
      expect.stringMatching(/^march\.csv,3,learner1@example\.org,COURSE-1,2024-01-05T07:01:00\.000Z,20\d\d-/),
    ]);
    const [refused] = lines(join(folder, 'march.csv.result-1.refused.csv'));
    expect(refused).toMatch(
      /^march\.csv,4,'=nobody at all,COURSE-5,.*Write the one right e-mail address\.,$/,
    );
    // Nothing is written a second time.
    const before = statSync(join(folder, 'march.csv.result-1.json')).mtimeMs;
    await workspace.run();
    expect(statSync(join(folder, 'march.csv.result-1.json')).mtimeMs).toBe(before);
    expect((await statusOf(workspace)).results).toMatchObject([
      { source: 'academy', waiting: 0, since: null },
    ]);
    expect(readdirSync(join(workspace.root, 'processing', '.results'))).toEqual([]);
  });

  it('has what the platform says about a row that it refused, and no command of Registrar; of a refused file the reason and no rows; a name that fits any folder', async () => {
    const workspace = await testWorkspace({
      sandbox: { learners: { unknown: ['learner1@example.org'] } },
      sources: { academy: { results: { folder: 'results' } } },
    });
    workspace.drop('march.csv', csvOf(exportRows(2)));
    workspace.drop('none.csv', 'nothing that is an export');
    const names = ['年度 «1».csv', `${'ä'.repeat(100)}.csv`, "o'neil $(x) `y`.csv"];
    for (const [index, name] of names.entries()) workspace.drop(name, csvOf(exportRows(1, 10 + index)));
    await workspace.run();
    const written = workspace.files('results');
    const of = (pattern: RegExp) => written.find((name) => pattern.test(name)) ?? '';
    const [refused] = lines(join(workspace.root, 'results', of(/^march.*refused/)));
    expect(refused).toMatch(
      /^march\.csv,3,learner1@example\.org,COURSE-1,The platform does not know the learner\.,[^,]*account[^,]*,.*Invalid user identifier/,
    );
    expect(refused).not.toContain('registrar');

    expect(written.filter((name) => name.startsWith('none'))).toEqual([of(/^none\.csv\.result-\d\.json$/)]);
    expect(jsonIn(join(workspace.root, 'results'), of(/^none/))).toMatchObject({
      rows: 0,
      refusal: expect.stringMatching(/\w/),
    });

    const odd = written.filter((name) => !/^(?:march|none)/.test(name));
    expect(odd).toHaveLength(9);
    expect(of(/^o'neil \$\(x\) `y`\.csv\.result-\d\.json$/)).not.toBe('');
    for (const name of odd) expect(Buffer.byteLength(`.${name}.part`)).toBeLessThan(255);
  });

  it('waits for the last row, but no longer than `within`', async () => {
    const workspace = await senderOf();
    workspace.drop('march.csv', csvOf(ROWS));
    await workspace.run('--no-push');
    expect(workspace.files('results')).toEqual([]);
    expect((await statusOf(workspace)).results).toMatchObject([{ waiting: 1, moving: 1, failing: 0 }]);
    expect((await workspace.cli('status')).stdout).toContain(
      '1 result of academy waits for results, 1 of them until rows are sent.',
    );
    setSources(workspace, { results: { folder: 'results', within: '0s' } });
    await workspace.run('--no-push');
    expect(jsonIn(join(workspace.root, 'results'))).toMatchObject({ waiting: 2, accepted: 0, rows: 3 });
    await workspace.run();
    expect(jsonIn(join(workspace.root, 'results'))).toMatchObject({ waiting: 2 });
  });

  it('is not written for a file imported before, nor for the same bytes again', async () => {
    const workspace = await testWorkspace();
    workspace.drop('march.csv', csvOf(ROWS));
    await workspace.run();
    setSources(workspace, { results: { folder: 'results' } });
    workspace.drop('again.csv', csvOf(ROWS));
    workspace.drop('april.csv', csvOf(exportRows(1, 50)));
    await workspace.run();
    expect(workspace.files('results')).toEqual([
      'april.csv.result-2.accepted.csv',
      'april.csv.result-2.json',
      'april.csv.result-2.refused.csv',
    ]);
  });

  it('comes back as corrections, which close the rows; its other files are never imported', async () => {
    const workspace = await testWorkspace({
      sources: { academy: { match: '*.csv', results: { folder: 'results' } } },
    });
    workspace.drop('march.csv', csvOf(ROWS));
    await workspace.run();
    const results = join(workspace.root, 'results');
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(join(results, 'march.csv.result-1.attention.xlsx'));
    const sheet = workbook.getWorksheet('Correct academy');
    sheet?.eachRow((row) =>
      row.eachCell((cell) => {
        if (String(cell.text).endsWith('nobody at all')) cell.value = 'learner12@example.org';
      }),
    );
    workspace.drop('march.csv.result-1.attention.xlsx', Buffer.from(await workbook.xlsx.writeBuffer()));
    for (const end of ['accepted.csv', 'refused.csv', 'json']) {
      const name = `march.csv.result-1.${end}`;
      workspace.drop(name, readFileSync(join(results, name)));
    }
    const { code, report } = await workspace.run();
    expect(report.corrections).toMatchObject([{ rows: { made: 1, invalid: 0 } }]);
    expect(workspace.states()).toEqual({ accepted: 3 });
    expect(code).toBe(0);
    expect(workspace.files('inbox')).toHaveLength(3);
    expect(workspace.files('results')).toEqual(NAMES);
  });
});

describe('a target that can not be used', () => {
  it('changes nothing about the run; it is shown with since when, and ends by itself', async () => {
    const folder = join(tempFolder(), 'share');
    const workspace = await testWorkspace({
      sources: { academy: { results: { folder } }, campus: { results: { folder: 'results' } } },
    });
    workspace.drop('march.csv', csvOf(exportRows(2)));
    workspace.drop('own.csv', csvOf(exportRows(2, 50)), 'campus');
    const { code, stderr } = await workspace.run();
    expect(code).toBe(0);
    expect(stderr).toContain(`could not write a result, ${folder}: no such file or folder`);
    expect(workspace.files('results')).toContain('own.csv.result-2.json');
    const { results, health } = await statusOf(workspace);
    expect(results).toMatchObject([
      { source: 'academy', place: folder, waiting: 1, failing: 1, since: expect.any(String) },
      { source: 'campus', waiting: 0, failing: 0, since: null },
    ]);
    expect(health.findings).toMatchObject([
      { code: 'results-waiting', subject: 'academy', state: 'degraded' },
    ]);
    expect((await workspace.cli('status')).stdout).toMatch(
      /1 result of source academy\s+waits\s+for\s+\S+share:\s+could\s+not\s+write/,
    );
    mkdirSync(folder, { mode: 0o750 });
    chmodSync(folder, 0o750);
    await workspace.run();
    expect(readdirSync(folder)).toHaveLength(3);
    // The users of the share may read them.
    expect(statSync(join(folder, 'march.csv.result-1.json')).mode & 0o777).toBe(0o640);
    expect((await statusOf(workspace)).health.findings).toEqual([]);
  });

  it('because its disk is full leaves no half file', { tags: ['mount'] }, async () => {
    const folder = smallFileSystem();
    const workspace = await senderOf({ folder });
    writeFileSync(join(folder, 'other'), Buffer.alloc(32 * 1024 * 1024 - 4096));
    const long = (course: string) => course.padEnd(500, '-');
    workspace.drop('march.csv', csvOf(exportRows(10).map((row) => ({ ...row, course: long(row.course) }))));
    const { stderr } = await workspace.run();
    expect(stderr).toContain('the disk is full');
    expect(readdirSync(folder)).toEqual(['other']);
    rmSync(join(folder, 'other'));
    await workspace.run();
    expect(readdirSync(folder)).toHaveLength(3);
  });
});

describe('a delivery of results that is killed', () => {
  it.each(
    sampled(['result-file-put:1', 'file-renamed:9', 'result-file-put:4', 'result-put', 'result-file-put:2']),
  )('at %s writes the same files again, and no others', async (moment) => {
    const workspace = await senderOf();
    workspace.drop('march.csv', csvOf(ROWS));
    const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, 'run').ended;
    expect(killed.code).toBeNull();
    await workspace.run();
    expect(readdirSync(join(workspace.root, 'results')).sort()).toEqual(NAMES);
    expect(jsonIn(join(workspace.root, 'results'))).toMatchObject({ accepted: 2 });
    expect(readdirSync(join(workspace.root, 'processing', '.results'))).toEqual([]);
  });
});

describe('results by mail', () => {
  it('have counts and no row; a file is mailed once', async () => {
    const { workspace, mails } = await mailWorkspace();
    workspace.drop('march.csv', csvOf(ROWS));
    await workspace.run();
    await workspace.run();
    const [mail, ...others] = mails;
    if (mail === undefined) throw new Error('no mail came');
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: FROM, to: ['lms@academy.example'] });
    const text = readableMail(mail);
    expect(text).toMatch(/Subject: \[Registrar\] march\.csv: 2 rows accepted, 1 needs attention/);
    expect(text).not.toMatch(/learner|nobody|COURSE/);
    expect(text).toMatch(/Message-ID:\s+<1\.\d+\.[0-9a-f]{64}@registrar>/);
  });

  it('have the files where they are to be attached', async () => {
    const { workspace, mails } = await mailWorkspace({ attach: true, channel: 'ops' });
    workspace.drop('march.csv', csvOf(ROWS));
    await workspace.run();
    for (const name of NAMES) expect(mails[0]?.raw).toContain(name);
    const accepted = Buffer.from('\ufefffile,line,learner,').toString('base64');
    expect(mails[0]?.raw).toContain(accepted);
    expect(mails.map(readableMail).join()).toContain('Correct the rows in the attached workbook');
  });

  it('mention no workbook where only a setting resolves rows', async () => {
    const { workspace, mails } = await mailWorkspace({ attach: true });
    workspace.drop('march.csv', csvOf([exportRow(1), exportRow(2, { status: 'Waved through' })]));
    await workspace.run();
    const mail = mails.map(({ raw }) => raw).join();
    expect(mail).toContain('march.csv.result-1.refused.csv');
    expect(mail).not.toMatch(/workbook|attention\.xlsx/);
  });

  it('name the kind of a refusal, and quote nothing of the file', async () => {
    const { workspace, mails } = await mailWorkspace();
    workspace.drop('march.csv', 'Jane Roe,jane.roe@example.org\nJohn Doe,john@example.org\n');
    await workspace.run();
    expect(mails).toHaveLength(1);
    // The sender's program may send it again.
    workspace.drop('march.csv', 'Jane Roe,jane.roe@example.org\nJohn Doe,john@example.org\n');
    await workspace.run();
    const ids = mails.map(({ raw }) => /Message-ID:\s+(\S+)/.exec(raw)?.[1]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
    const text = mails.map(readableMail).join();
    expect(text).toContain('Subject: [Registrar] march.csv was refused');
    expect(text).toContain('refused march.csv for source academy: no line of the first 30 names the fields');
    expect(text).not.toMatch(/Jane|J…|roe/i);
  });

  it('wait while the mail server is away', async () => {
    const { workspace, mails } = await mailWorkspace({}, 9);
    workspace.drop('march.csv', csvOf(exportRows(1)));
    expect((await workspace.run()).code).toBe(0);
    expect((await statusOf(workspace)).results).toMatchObject([
      {
        place: 'mail through the first channel with email',
        failing: 1,
        error: expect.stringContaining('channel ops can'),
      },
    ]);
    expect(mails).toEqual([]);
  });
});

describe('registrar source test', () => {
  it('writes and removes a file at the target', async () => {
    const workspace = await senderOf();
    const { code, stdout } = await workspace.cli('source', 'test', 'academy');
    expect(stdout).toContain('takes results: a test file was written and removed');
    expect(code).toBe(0);
    expect(readdirSync(join(workspace.root, 'results'))).toEqual([]);
    expect((await workspace.cli('doctor')).stdout).toContain('can be used for results');
  });

  it('tries the mail server, and sends nothing', async () => {
    const { workspace, mails } = await mailWorkspace();
    const { stdout } = await workspace.cli('source', 'test', 'academy');
    expect(stdout).toContain('no mail was sent');
    expect(mails).toEqual([]);
  });

  it('says what is wrong', async () => {
    const workspace = await senderOf({ folder: '/nowhere/at/all' });
    const { code, stdout } = await workspace.cli('source', 'test', 'academy');
    expect(code).toBe(74);
    expect(stdout).toContain('no such file or folder');
  });
});

const SFTP = { host: 'files.example.com', user: 'lms' };

describe('an invalid target is refused', () => {
  it.each<[string, object, object, string]>([
    ['the inbox itself', {}, { folder: 'inbox/academy' }, 'is the inbox of sources[0]'],
    ['a folder of Registrar', {}, { folder: 'archive/x' }, 'a folder that Registrar keeps for itself'],
    [
      'the folder of the server',
      { inbox: { sftp: { ...SFTP, folder: '/out' } } },
      { sftp: { ...SFTP, folder: '/out/' } },
      'is the inbox of sources[0]',
    ],
    [
      'the prefix of the bucket',
      { inbox: { s3: { bucket: 'exports', prefix: 'out' } } },
      { s3: { bucket: 'exports', prefix: 'out/' } },
      'is the inbox of sources[0]',
    ],
    [
      'two targets',
      {},
      { folder: 'a', mail: { to: 'a@b.example' } },
      'must have one of folder, sftp, s3 and mail',
    ],
    ['no target', {}, {}, 'must have one of folder, sftp, s3 and mail'],
    ['mail without a server', {}, { mail: { to: 'a@b.example' } }, 'needs a mail server'],
    [
      'mail of no channel',
      {},
      { mail: { to: 'a@b.example', channel: 'x' } },
      'is not a channel of alerts with email',
    ],
    ['a literal password', {}, { sftp: { ...SFTP, password: 'hunter2' } }, 'must be a reference'],
  ])('%s', async (_, source, results, words) => {
    const workspace = await testWorkspace({ sources: { academy: { ...source, results } } });
    const { code, stderr } = await workspace.cli('run');
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('hunter2');
  });
});
