import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.js';
import { sound } from '../config/written-config.js';
import { commandLine } from '../support/command-line.js';
import { csvOf, exportRow, exportRows, workbookOf } from '../support/exports.js';
import { writeDrop } from '../support/open-content.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, ledgerEnv, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const ROWS = [
  exportRow(1),
  exportRow(1),
  exportRow(1, { score: 99 }),
  exportRow(2, { email: 'no address' }),
  exportRow(3, { status: 'Not started' }),
];

describe('inspect', () => {
  it('shows what the reader sees and how headers map, needs no workspace and writes nothing', async () => {
    const folder = tempFolder();
    const file = writeDrop(`Export of today\n\n${csvOf(ROWS)}`, 'export.csv');
    const result = await commandLine(['inspect', file, '--json', '--limit', '3'], { cwd: folder });
    expect(result.code).toBe(0);
    expect(documentOf<unknown>(result)).toEqual({
      drop: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number), format: 'csv' },
      text: { encoding: 'utf-8', bom: false, delimiter: ',', rowEnd: null, fallback: false },
      header: {
        line: 3,
        columns: ['Email', 'Course ID', 'Completed on', 'Score', 'Status'],
        mapped: {
          'user-id': 'Email',
          'content-id': 'Course ID',
          'completed-at': 'Completed on',
          percentile: 'Score',
          status: 'Status',
        },
        unmapped: [],
        deciding: [],
        preset: null,
      },
      rows: [
        { line: 1, cells: ['Export of today'] },
        { line: 3, cells: ['Email', 'Course ID', 'Completed on', 'Score', 'Status'] },
        { line: 4, cells: ['learner1@example.org', 'COURSE-1', '2024-01-05 08:01:00', '21', 'Completed'] },
      ],
      zoneNotes: [],
      counts: { records: 7, blank: 1, hidden: 0 },
      issues: [],
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('shows the sheets of a workbook, and cells with their types', async () => {
    const file = writeDrop(workbookOf(exportRows(2)), 'export.xlsx');
    const result = await commandLine(['inspect', file, '--json'], { cwd: tempFolder() });
    expect(documentOf<unknown>(result)).toMatchObject({
      drop: { format: 'xlsx' },
      workbook: {
        epoch: 1900,
        sheet: 'Completions',
        sheets: [{ name: 'Completions', state: 'visible', rows: null }],
      },
      rows: [
        { line: 1 },
        {
          line: 2,
          cells: ['learner0@example.org', 'COURSE-0', { date: '2024-01-05T08:00:00.000' }, 20, 'Completed'],
        },
        { line: 3 },
      ],
    });
  });

  it('shows the rows of a file that no header maps, with the reason; what cannot be read exits 1', async () => {
    const cwd = tempFolder();
    const odd = await commandLine(['inspect', writeDrop('a,b\n1,2\n'), '--json'], { cwd });
    expect(odd.code).toBe(0);
    expect(documentOf<unknown>(odd)).toMatchObject({
      header: null,
      rows: [{ line: 1 }, { line: 2, cells: ['1', '2'] }],
      issues: [{ code: 'header-missing' }],
    });
    const unreadable = await commandLine(['inspect', writeDrop(Buffer.alloc(500)), '--json'], { cwd });
    expect(unreadable.code).toBe(1);
    expect(documentOf<unknown>(unreadable)).toMatchObject({ error: { exit: 'attention' } });
  });

  it('shows the rows before a damage and says in which line it is, but exits 1', async () => {
    const cwd = tempFolder();
    const file = writeDrop(
      'Email,Course ID,Completed on\na@example.com,C-1,2024-03-01\nb@example.com,"C-2,2024-03-02\n',
    );
    const seen = await commandLine(['inspect', file, '--json'], { cwd });
    expect(seen.code).toBe(1);
    expect(documentOf<unknown>(seen)).toMatchObject({
      header: { line: 1, mapped: { 'user-id': 'Email' } },
      rows: [{ line: 1 }, { line: 2, cells: ['a@example.com', 'C-1', '2024-03-01'] }],
      counts: { records: 2 },
      issues: [
        {
          code: 'drop-unreadable',
          message: expect.stringMatching(/^line 3: the quote/),
          remedy: expect.stringMatching(/^Close the quote/),
        },
      ],
    });
    const shown = await commandLine(['inspect', file], { cwd });
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/drop-unreadable: line 3: the quote .*\n.*1 {2}Email/);
  });
});

/** The last of the rows of one key counts. */
const LAST = { sources: { academy: { sameKey: 'last' } } };

describe('check', () => {
  it('adds what staging would make of the file, and writes nothing', async () => {
    const workspace = await testWorkspace({ ...LAST, hasNoLedger: true });
    const file = writeDrop(csvOf(ROWS));
    const result = await workspace.cli('check', file, '--source', 'academy', '--json');
    expect(result.code).toBe(1);
    expect(documentOf<unknown>(result)).toMatchObject({
      drop: { format: 'csv' },
      header: { line: 1 },
      counts: { records: 6, blank: 0 },
      dispositions: { staged: 1, duplicate: 1, amended: 1, invalid: 1, skipped: 1, blank: 0 },
      issues: [
        { line: 5, code: 'email-invalid', column: 'Email', value: 'no address' },
        { line: 6, code: 'status-not-completed', column: 'Status', value: 'Not started' },
      ],
      records: [
        {
          line: 2,
          key: expect.stringMatching(
            /^[0-9a-f]{16}\/[0-9a-f]{16}\/[a-z]+\/submit-completion\/\d{4}-\d\d-\d\dT[\d:.]+Z$/,
          ),
          request: { method: 'POST', path: '/api/v2/completions' },
        },
        { line: 4, request: { body: { data: { type: 'completions', attributes: { percentile: 99 } } } } },
      ],
    });
    expect(workspace.files('.')).toEqual(['registrar.yaml']);
    expect(workspace.sandbox.platform.received).toEqual([]);
  });

  it('knows what was delivered before, and leaves the ledger unchanged', async () => {
    const workspace = await testWorkspace(LAST);
    workspace.drop('a.csv', csvOf([exportRow(1)]));
    await workspace.cli('run', '--no-push');
    const before = workspace.files('.');
    const result = await workspace.cli('check', writeDrop(csvOf(ROWS)), '--source', 'academy', '--json');
    expect(documentOf(result).dispositions).toMatchObject({ staged: 0, duplicate: 2, amended: 1 });
    expect(workspace.files('.')).toEqual(before);
    expect(workspace.query('select run_id from run')).toHaveLength(1);
  });
});

describe('status and report', () => {
  it('say what waits, what needs attention and what was done, and write the requested files', async () => {
    const workspace = await testWorkspace(LAST);
    workspace.drop('a.csv', csvOf(ROWS));
    await workspace.cli('run', '--no-push');
    const status = documentOf<Record<string, unknown>>(await workspace.cli('status', '--json'));
    expect(status).toMatchObject({
      environments: [{ environment: 'main', waiting: 1, quota: { allowed: 70, permits: 0 }, pushedBy: null }],
      attention: [{ code: 'email-invalid', state: 'invalid', count: 1, commands: [] }],
      runs: [{ runId: 1, trigger: 'cron', end: 'attention' }],
    });
    const out = join(workspace.root, 'elsewhere');
    mkdirSync(out);
    const report = await workspace.cli('report', '--format', 'csv,json', '--out', out, '--json');
    expect(report.code).toBe(0);
    const [folder = ''] = readdirSync(out);
    expect(documentOf(report).reportFolder).toBe(join(out, folder));
    expect(readdirSync(join(out, folder)).sort()).toEqual([
      // No row is accepted.
      '1-a.attention.csv',
      'all.attention.xlsx',
      'report.json',
    ]);
    const alone = join(workspace.root, 'alone');
    await workspace.cli('report', '--format', 'xlsx', '--out', alone);
    const [aloneFolder = ''] = readdirSync(alone);
    expect(readdirSync(join(alone, aloneFolder))).toEqual(['all.attention.xlsx']);
    const well = await workspace.cli('report', '--format', 'xlsx', '--since', '2099-01-01', '--out', alone);
    expect(well.stdout).toContain(
      'No correction workbook: no row in this report is for a sender or an administrator.',
    );
    const plain = await workspace.cli('report', '--run', '1');
    expect(plain.stdout).toMatch(
      /^The books balance\. 0 rows accepted, 1 row waiting, 1 row needs attention\./,
    );
    expect(plain.stdout).toMatch(
      /rows read +6 = 1 staged \+ 1 duplicate \+ 1 amended \+ 1 invalid \+ 1 skipped \+ 1 non-data/,
    );
  });
});

describe('an invalid command line', () => {
  it.each([
    'report --run 99',
    'run --no-such-option',
    'no-such-command',
    'check missing.csv --source academy',
    'init .',
  ])('%s exits 2 with a sentence, and with --json with one document on stdout', async (line) => {
    const workspace = await testWorkspace();
    const { code, stdout, stderr } = await workspace.cli(...line.split(' '), '--json');
    expect(code).toBe(2);
    expect(stderr).toMatch(/\w{3}/);
    expect(stderr).not.toMatch(/\n +at /);
    expect(JSON.parse(stdout).error).toMatchObject({
      message: expect.stringMatching(/\w{3}/),
      exit: 'usage',
    });
  });
});

it('version prints what --version prints, as in many programs', async () => {
  const printed = await commandLine(['version'], { cwd: tempFolder() });
  expect(printed).toEqual(await commandLine(['--version'], { cwd: tempFolder() }));
  expect(printed).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
});

it('--quiet prints errors only', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(2)));
  expect(await workspace.cli('run', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
});

describe('before client id and secret are set', () => {
  const registrar = (workspace: TestWorkspace, ...args: string[]) =>
    commandLine(args, { cwd: workspace.root, env: ledgerEnv(workspace) });

  it('check and inspect --source work, because they send nothing', async () => {
    const workspace = await testWorkspace();
    const file = writeDrop(csvOf(exportRows(3)));
    const check = await registrar(workspace, 'check', file, '--source', 'academy', '--json');
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(documentOf(check).dispositions).toMatchObject({ staged: 3 });
    expect(await registrar(workspace, 'inspect', file, '--source', 'academy')).toMatchObject({ code: 0 });
  });

  it('trace works, and a run says which variable is missing', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(1)));
    await workspace.run();
    const traced = await registrar(workspace, 'trace', 'a.csv:2');
    expect(traced).toMatchObject({ code: 0, stderr: '' });
    const run = await registrar(workspace, 'run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('environment variable REGISTRAR_CLIENT_ID, which is not set');
  });

  it('a command without a ledger runs without the database URL; each other command names the missing variable', async () => {
    const root = tempFolder();
    const config = sound({}).replace(/^/, 'ledger: ${LEDGER_URL}\nworkspace: acme\n');
    writeFileSync(join(root, 'registrar.yaml'), config);
    const registrar = (...args: string[]) => commandLine(args, { cwd: root });
    expect(await registrar('user', 'list')).toMatchObject({ code: 0, stderr: '' });
    const traced = await registrar('trace', 'a.csv:2');
    expect(traced.code).toBe(2);
    expect(traced.stderr).toContain('environment variable LEDGER_URL, which is not set');
  });
});

describe('init with a sample', () => {
  const init = (rows: string) =>
    commandLine(['init', 'here', '--sample', writeDrop(rows, 'talent.csv')], { cwd: tempFolder() });

  it('says at once, under "Now:", which fields it found no column for', async () => {
    const { stdout } = await init(
      'Email,Course ID,Finished,Left,Mark (%)\nanna@northwind.example,C-1,13/10/2025,14/10/2025,80\n',
    );
    expect(stdout).toContain(
      'Now:\n  1. No column gives completed-at. Add the setting below to registrar.yaml',
    );
    expect(stdout).toContain('not used are "Finished", "Left", "Mark (%)"');
    expect(stdout).toContain('  5. Put files into ');
  });

  it('names under "Now:" every value that the file marks as a guess, and calls no check clean without them', async () => {
    const folder = tempFolder();
    const sample = writeDrop(
      'Worker ID,Worker,Contact,Course ID,Completion Date\n100234,Ann,a@x.example,S-1,11/4/2026\n100235,Bo,b@x.example,S-1,11/24/2026\n',
      'hr.csv',
    );
    const address = 'https://platform.example';
    const args = ['init', 'here', '--sample', sample, '--base-url', address];
    const { stdout } = await commandLine(args, { cwd: folder });
    const guesses = [
      `authUrl (${address})`,
      `timeZone (${Intl.DateTimeFormat().resolvedOptions().timeZone})`,
      'user-identifier-type (EmployeeId)',
    ];
    expect(stdout).toContain(`Now:\n  1. Confirm ${guesses.join(', ')} in registrar.yaml\n`);
    expect(stdout).toContain('A check of hr.csv is clean: 2 staged');
    const yaml = readFileSync(join(folder, 'here/registrar.yaml'), 'utf8');
    expect(yaml.match(/confirm:/g)).toHaveLength(guesses.length);

    const add = ['source', 'add', 'more', '--sample', sample, '--workspace', 'here'];
    const added = await commandLine(add, { cwd: folder });
    expect(added.stdout).toContain(`Now confirm ${guesses.slice(1).join(', ')} in registrar.yaml.\n`);
  });

  it('shows no learner', async () => {
    const folder = tempFolder();
    const sample = writeDrop(
      csvOf([exportRow(1, { email: 'anna.schmidt@northwind.example', course: 'anna@x.example' })]),
      'a.csv',
    );
    await commandLine(['init', 'here', '--sample', sample], { cwd: folder });
    const yaml = readFileSync(join(folder, 'here/registrar.yaml'), 'utf8');
    expect(yaml).not.toMatch(/anna|schmidt|northwind/);
  });
});

it('init writes a workspace that works once the addresses are set', async () => {
  const folder = tempFolder();
  const sample = writeDrop(csvOf(exportRows(5)), 'Spring export.csv');
  const made = await commandLine(['init', 'here', '--sample', sample, '--json'], { cwd: folder });
  expect(made.code).toBe(0);
  expect(documentOf<unknown>(made)).toMatchObject({ source: 'spring-export' });
  const env = {
    REGISTRAR_CLIENT_ID: 'x',
    REGISTRAR_CLIENT_SECRET: 'y',
    REGISTRAR_WORKSPACE: join(folder, 'here'),
  };
  const checked = await commandLine(['check', sample, '--source', 'spring-export', '--json'], {
    cwd: folder,
    env,
  });
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(documentOf(checked).dispositions).toMatchObject({ staged: 5, invalid: 0 });
});

it('source add puts a source that its sample shows at the end of the others, with its inbox; a known name is refused', async () => {
  const folder = tempFolder();
  const first = writeDrop(csvOf(exportRows(2)), 'spring.csv');
  const second = writeDrop('Personal-Nr.;Kurs-Nr.;Abschlussdatum\n00123;K-1;14.03.2024\n', 'kurse.csv');
  await commandLine(['init', '.', '--sample', first], { cwd: folder });
  const path = join(folder, 'registrar.yaml');
  const before = readFileSync(path, 'utf8');
  const add = (...args: string[]) =>
    commandLine(['source', 'add', ...args, '--sample', second], { cwd: folder });
  const dry = await add('kurse', '--dry-run');
  expect([dry.code, readFileSync(path, 'utf8')]).toEqual([0, before]);
  const added = await add('kurse');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toMatch(
    /Added source kurse to .*A check of kurse\.csv is clean: 1 staged, 1 non-data/s,
  );
  const lines = dry.stdout.slice(dry.stdout.indexOf('  - name: kurse'), dry.stdout.indexOf('\n\nA check of'));
  const after = readFileSync(path, 'utf8');
  expect(after.replace(`${lines}\n`, '')).toBe(before);
  expect(readdirSync(join(folder, 'inbox')).sort()).toEqual(['kurse', 'spring']);
  const again = await add('Kurse');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('has a source "kurse" already')]);
  expect(readFileSync(path, 'utf8')).toBe(after);
});
