import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { muteAlert } from '../src/actions/alerts/mute.js';
import { CHECKS } from '../src/actions/doctor/finding.js';
import { replacementSchema } from '../src/documents/correction.js';
import { ALERT_KINDS, type AlertKey } from '../src/domain/alerts/alert.js';
import { EQUATIONS } from '../src/domain/balance/equations.js';
import { ACCEPTED_AS, CAUSES, HELD_CAUSES } from '../src/domain/cause.js';
import { isoFromMs, systemClock } from '../src/domain/clock.js';
import { DROP_STATES } from '../src/domain/drop.js';
import { FAULT_CODES } from '../src/domain/environment/fault.js';
import { NOTICE_CODES } from '../src/domain/environment/notice.js';
import { dropMark } from '../src/domain/files/attention-columns.js';
import { UNMATCHED_CODES } from '../src/domain/files/unmatched-file.js';
import { HEALTH_CODES, HEALTH_PARTS } from '../src/domain/health/health.js';
import { EXIT_CODES } from '../src/domain/operator-error.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../src/domain/process/run.js';
import type { Remedy } from '../src/domain/remedy.js';
import { DISPOSITIONS } from '../src/domain/row.js';
import { STATES } from '../src/domain/submission.js';
import { findToken, recordToken } from '../src/ledger/access/tokens.js';
import { recordDecision } from '../src/ledger/decisions/decision-log.js';
import { registerJobs, withSlot } from '../src/ledger/leases/jobs.js';
import { isLease, releaseLease, takeLease } from '../src/ledger/leases/leases.js';
import { thisProcess } from '../src/ledger/leases/owner.js';
import { closeLedger, openLedger } from '../src/ledger/store/open.js';
import { startSandbox } from '../src/sandbox/server.js';
import { ALTERED } from './support/altered-texts.js';
import { commandLine } from './support/command-line.js';
import { decider } from './support/decider.js';
import { csvOf, exportRow } from './support/exports.js';
import { httpsServer } from './support/https-server.js';
import { differences, type References, unseenFields } from './support/json-document.js';
import { cells, document, table } from './support/markdown.js';
import { printed } from './support/printed.js';
import { expectLinesAsDocumented } from './support/sample-lines.js';
import { SAMPLE_SHOWS } from './support/sample-shows.js';
import { setSources } from './support/set-sources.js';
import { sheetsOf } from './support/sheets-of.js';
import { tempFolder } from './support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from './support/workspace.js';
import { workspaceContext } from './support/workspace-context.js';

const PAGE = document('docs/cli-json.md');
const ALERTS = document('docs/alerts.md');
const CREDENTIALS = { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };
const SAMPLES = fileURLToPath(new URL('../data/samples/', import.meta.url));

const GOOD = `Email,Course ID,Completed on,Score
ada@example.com,C-1,2025-03-03T09:12:00Z,88
ben.unknown@example.com,C-1,2025-03-03T09:12:00Z,0
ben.unknown@example.com,C-2,2025-03-03T09:12:00Z,0
cy@example.com,C-1,2025-03-03T09:12:00Z,high
`;
/** As a system with a preset writes it. */
const KNOWN =
  'All times are UTC\nEmail,Course Slug,Completion Time,Completed\nada@example.com,C-1,2025-03-03T09:12:00Z,Yes\n';
const UNMAPPABLE = 'Who,What\nada,C-1\n';

test.each<[string, readonly string[]]>([
  ['disposition', DISPOSITIONS],
  ['state', STATES],
  ['held reason', HELD_CAUSES],
  ['cause', CAUSES],
  ['accepted as', ACCEPTED_AS],
  ['notice', NOTICE_CODES],
  ['outage', FAULT_CODES],
  ['control equation', Object.keys(EQUATIONS)],
  ['drop state', DROP_STATES],
  ['unmatched code', UNMATCHED_CODES],
  ['run trigger', RUN_TRIGGERS],
  ['run end', RUN_ENDS],
  ['exit', EXIT_CODES.map(({ name }) => name)],
])('the words for %s are those of the program', (field, words) => {
  const row = cells(table(PAGE, 'Words')).find(([name]) => name === field);
  expect(row?.[1]?.split(', ').map((word) => word.replaceAll('`', ''))).toEqual(words);
});

/** Samples that show, together, all that a sample can show. */
const SHOWING = {
  plain: 'Mail,Course ID,Completed on,Extra\na@example.com,C-1,25.03.2025,Übung\nb@example.com,C-1,,x\n',
  told: 'Time zone: UTC\nMail,Course ID,Completed on,Extra\na@example.com,C-1,25.03.2025,x\n',
  known: 'Login ID,Course Name,Enrollment Completed Date\na@example.com,C,25.3.2025\n',
  faulty: 'Email,Course ID,Completed on\na,C-1,25.03.2025\n',
};

const OF_SAMPLES = { sample: ['A sample'], check: ['A verdict'], 'check.issues[]': ['An issue'] };

it('docs/cli-json.md describes init and source, with the findings of samples', async () => {
  const folder = tempFolder();
  const { root } = await testWorkspace();
  const yaml = join(root, 'registrar.yaml');
  writeFileSync(yaml, stringify(parse(readFileSync(yaml, 'utf8'))));
  const server = await startSandbox({ port: 0 });
  onTestFinished(() => server.close());
  const made = [
    await printed(['init', 'bare'], folder),
    await printed(['init', 'tested', '--base-url', server.url], folder),
  ];
  const added = [];
  for (const [name, content] of Object.entries({ ...SHOWING, several: SEVERAL })) {
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, content, 'latin1');
    made.push(await printed(['init', name, '--sample', file], folder));
    const dry = name === 'plain' ? [] : ['--dry-run'];
    added.push(await printed(['source', 'add', name, '--sample', file, ...dry], root));
  }
  describes(['registrar init'], made, OF_SAMPLES);
  describes(['registrar source'], added, OF_SAMPLES);
  const { root: fetching } = await testWorkspace({
    sources: { academy: { inbox: { sftp: { host: '127.0.0.1', port: 1, user: 'lms' } } } },
  });
  describes(['registrar source test'], [await printed(['source', 'test', 'academy'], fetching)]);
});

/** Two tables, of which a person chooses one. */
const SEVERAL = sheetsOf({
  May: [
    ['Email', 'Course ID', 'Completed on'],
    ['ann@example.com', 'C-1', '2024-05-01'],
  ],
  June: [
    ['Email', 'Course ID', 'Completed on'],
    ['ann@example.com', 'C-1', '2024-06-01'],
  ],
});

/** A table that goes on, in zones of its own, with a row that the sheet hides, one that is skipped and one that can be delivered. */
const SHEETS = sheetsOf({
  'Page 1': [
    ['Email', 'Course ID', 'Completed on', 'Status', 'Completion Time Zone'],
    { hidden: ['ann@example.com', 'C-1', '2024-03-01', 'Not started'] },
  ],
  'Page 2': [
    ['eve@example.com', 'C-1', '2024-03-01', 'Not started'],
    ['eve@example.com', 'C-2', '2024-03-01', 'Completed'],
  ],
});

it('docs/cli-json.md describes completion', async () => {
  const { root } = await testWorkspace();
  const whats = [['bash'], ['zsh'], ['fish'], ['offers', '--json', '--', 'check']];
  const documents = await Promise.all(whats.map((what) => printed(['completion', ...what], root)));
  describes(['registrar completion'], documents);
});

it('docs/cli-json.md describes inspect', async () => {
  const folder = tempFolder();
  const odd = join(folder, 'odd.csv');
  writeFileSync(odd, UNMAPPABLE);
  const known = join(folder, 'known.csv');
  writeFileSync(known, KNOWN);
  const attention = join(folder, 'attention.csv');
  writeFileSync(attention, attentionFile(GOOD));
  const sheets = join(folder, 'sheets.xlsx');
  writeFileSync(sheets, SHEETS);
  const samples = [join(SAMPLES, 'academy-completions.csv'), join(SAMPLES, 'workshops.xlsx'), sheets];
  const files = [...samples, odd, known, attention];
  const documents = await Promise.all(files.map((file) => printed(['inspect', file], folder)));
  const { root } = await testWorkspace({ sources: { groups: { operation: 'create-group' } } });
  documents.push(await printed(['inspect', join(SAMPLES, 'groups.csv'), '--source', 'groups'], root));
  describes(['registrar inspect'], documents, { 'issues[]': ['An issue'] });
});

it('docs/cli-json.md describes check', async () => {
  const graded = { scoreUnreadable: 'left-out' };
  const books = { sheets: ['*'] };
  const workspace = await testWorkspace({
    sources: { academy: {}, graded, groups: { operation: 'create-group' }, books },
  });
  const { root } = workspace;
  const [good, odd, known] = [join(root, 'good.csv'), join(root, 'odd.csv'), join(root, 'known.csv')];
  writeFileSync(good, GOOD);
  writeFileSync(known, KNOWN);
  writeFileSync(odd, UNMAPPABLE);
  const check = (file: string) => printed(['check', file, '--source', 'academy'], root);
  const files = [good, odd, known, join(SAMPLES, 'workshops.xlsx')];
  const documents = [];
  for (const file of files) documents.push(await check(file));
  documents.push(await printed(['check', good, '--source', 'graded'], root));
  documents.push(await printed(['check', join(SAMPLES, 'groups.csv'), '--source', 'groups'], root));
  const sheets = join(root, 'sheets.xlsx');
  writeFileSync(sheets, SHEETS);
  documents.push(await printed(['check', sheets, '--source', 'books'], root));
  workspace.drop('good.csv', GOOD);
  await printed(['run', '--no-push'], root);
  const attention = join(root, 'attention.csv');
  writeFileSync(attention, attentionFile(GOOD));
  documents.push(await check(attention));
  describes(['registrar inspect', 'registrar check'], documents, { 'issues[]': ['An issue'] });
});

it('docs/cli-json.md describes run, status, rerun and report', async () => {
  const workspace = await testWorkspace({
    // One after the other: the second row of an unknown learner is held only once the first is refused.
    environments: { main: { inFlight: 1, deliverBy: '18:00', timeZone: 'Europe/Berlin' } },
    sources: {
      academy: { control: { rows: { min: 1 } } },
      away: { inbox: '/nowhere/at/all' },
      graded: { scoreUnreadable: 'left-out' },
      groups: { operation: 'create-group' },
      books: { sheet: 'Page 1' },
    },
    alerts: { channels: [{ name: 'gone', file: 'no/such/alerts.jsonl' }] },
    schedule: [{ cron: '0 7 * * *', timeZone: 'UTC', do: ['report'] }],
    // Long enough for the notice of another program's requests.
    sandbox: { quota: { requests: 70, perMs: 10_000 }, altered: ALTERED.entities },
  });
  const json = (...args: string[]) => printed(args, workspace.root);
  workspace.drop('good.csv', GOOD);
  workspace.drop('odd.csv', UNMAPPABLE);
  workspace.drop(
    'graded.csv',
    GOOD.split('\n').slice(0, 2).join('\n').replace('C-1', 'C-9').replace('88', 'A'),
    'graded',
  );
  workspace.drop('sheets.xlsx', SHEETS, 'books');
  workspace.drop('groups.csv', "Group,Description\nAda's,x\n", 'groups');
  await anotherProgramCalls(workspace);
  workspace.drop('October.xls', 'x');
  const runs = [await json('run')];
  const statuses = [await json('status')];
  const accepted = ['--row', String(idOf(workspace, 'accepted'))];
  describes(
    ['registrar rerun'],
    [
      await json('rerun', '--all', '--dry-run'),
      await json('rerun', ...accepted),
      await json('rerun', '--state', 'held', '--dry-run'),
    ],
  );
  describes(
    ['registrar dismiss'],
    [
      await json('dismiss', '--all', '--dry-run'),
      await json('dismiss', ...accepted, '--because', 'x'),
      await json('dismiss', '--file', 'odd.csv', '--dry-run'),
    ],
  );
  const dismissal = await json('dismiss', '--content', 'C-2', '--because', 'entered by hand');
  const dismissed = await json('dismiss', '--file', 'odd.csv', '--because', 'sent by mistake');
  describes(['registrar dismiss, rows dismissed'], [dismissal, dismissed]);
  const reruns = [await json('rerun', '--all', '--because', 'the learner is there now')];

  workspace.drop('more.csv', GOOD.replaceAll('C-1', 'C-2'));
  workspace.drop('1-good.attention.csv', attentionFile(GOOD));
  runs.push(await whileAnotherDelivers(workspace, () => json('run')));
  const ledger = openLedger(join(workspace.root, 'registrar.db'), systemClock());
  const slot = { job: 'report at 0 7 * * * UTC', slotAt: '2026-03-02T07:00:00.000Z', sinceAt: '', missed: 0 };
  await registerJobs(ledger, [slot.job]);
  await withSlot(ledger, slot, thisProcess(), async () => ({ result: null, ending: 'done' }));
  await recordDecision(ledger, { kind: 'map', who: decider('ada'), because: null, selection: {} });
  closeLedger(ledger);
  statuses.push(await whileAnotherDelivers(workspace, () => json('status')));
  const wrongSecret = { ...CREDENTIALS, REGISTRAR_CLIENT_SECRET: 'wrong' };
  runs.push(await printed(['run'], workspace.root, { env: wrongSecret }));
  statuses.push(await json('status'));
  // A file in the wrong inbox, and then in the right one.
  for (const inbox of ['academy', 'groups']) {
    workspace.drop('late.csv', "Group,Description\nBob's,x\n", inbox);
    await json('run', '--no-push');
  }
  const span = [
    '--source',
    'academy',
    '--file',
    'good.csv',
    '--since',
    '2020-01-01',
    '--until',
    '2020-01-02',
  ];
  const reports = [await json('report', '--run', '1', '--out', tempFolder()), await json('report', ...span)];
  unbalance(workspace);
  reports.push(await json('report'));
  renameEnvironment(workspace);
  statuses.push(await json('status'));
  const sftp = { host: 'files.example.com', user: 'lms' };
  const results = { folder: '/nowhere' };
  const fetching = await testWorkspace({ sources: { academy: { inbox: { sftp }, results } } });
  await printed(['run'], fetching.root);
  statuses.push(await printed(['status'], fetching.root));

  const outages = { 'outages[]': ['An outage'] };
  const remedies = {
    'attention[].remedies[]': ['A remedy'],
    'attention[].choices[].remedy': ['A remedy'],
    'refusedFiles[].remedy': ['A remedy'],
  };
  expect(differences(PAGE, ['registrar status'], statuses, { ...outages, ...remedies })).toEqual([]);
  expect(unseenFields(PAGE, ['registrar status'], statuses, outages)).toEqual([]);
  expect(differences(PAGE, ['A run', 'A report'], runs, outages)).toEqual([]);
  expect(differences(PAGE, ['A run', 'A report', 'registrar rerun, rows sent'], reruns, outages)).toEqual([]);
  expect(differences(PAGE, ['A report', 'registrar report'], reports, outages)).toEqual([]);
  const all = ['A run', 'A report', 'registrar report'];
  expect(unseenFields(PAGE, all, [...runs, ...reports], outages)).toEqual([]);
});

it('docs/cli-json.md describes run --dry-run', async () => {
  const server = await httpsServer();
  server.answer((_, response) => {
    // Every second answer doesn't say how long it is.
    if (server.requests.length % 2 === 0) response.write(' ');
    response.end(GOOD);
  });
  const workspace = await testWorkspace({
    environments: { main: { deliverBy: '18:00', timeZone: 'Europe/Berlin' }, other: {} },
    sources: {
      academy: {},
      away: { inbox: '/nowhere/at/all' },
      campus: {},
      distant: { environment: 'other' },
      served: { inbox: { https: server.settings } },
      streamed: { inbox: { https: { ...server.settings, file: 'streamed.csv' } } },
    },
  });
  workspace.drop('good.csv', GOOD);
  workspace.drop('October.xls', 'x');
  const nothing = await printed(['run', '--dry-run'], workspace.root);
  workspace.drop('good.csv', GOOD, 'campus');
  await workspace.cli('run', '--no-push', '--source', 'campus');
  describes(['registrar run, a dry run'], [nothing, await printed(['run', '--dry-run'], workspace.root)]);
});

it('docs/cli-json.md describes user and token', async () => {
  const { root } = await testWorkspace();
  const json = (...args: string[]) =>
    printed(args, root, { env: CREDENTIALS, input: 'twelve letters or more' });
  const hashed = await json('user', 'hash', 'ada', '--role', 'operator', '--password-stdin');
  describes(['registrar user hash'], [hashed]);
  const yaml = join(root, 'registrar.yaml');
  const { console, ...rest } = parse(readFileSync(yaml, 'utf8')) as { console?: object };
  writeFileSync(
    yaml,
    stringify({ ...rest, console: { ...console, users: [(hashed as { user: object }).user] } }),
  );
  describes(['registrar user list'], [await json('user', 'list')]);
  const tokens = [await json('token', 'add', 'billing', '--role', 'viewer')];
  const lists = [await json('token', 'list')];
  tokens.push(await json('token', 'revoke', 'billing'));
  lists.push(await json('token', 'list'));
  describes(['registrar token'], tokens);
  const workspace = openLedger(join(root, 'registrar.db'), systemClock());
  await recordToken(workspace, 'a'.repeat(64), { name: 'used', role: 'viewer' }, decider('ada'), null);
  await findToken(workspace, 'a'.repeat(64));
  closeLedger(workspace);
  lists.push(await json('token', 'list'));
  describes(['registrar token list'], lists);
});

it('docs/cli-json.md describes alerts', async () => {
  const channels = [
    { name: 'log', file: 'alerts.jsonl' },
    { name: 'gone', file: 'no/such/alerts.jsonl' },
  ];
  const workspace = await testWorkspace({ alerts: { channels } });
  workspace.drop('good.csv', GOOD);
  const env = { ...CREDENTIALS, REGISTRAR_CLIENT_SECRET: 'wrong' };
  await printed(['run'], workspace.root, { env });
  const lists = [await printed(['alerts'], workspace.root)];
  const [open = expect.fail('no alert is open')] = (lists[0] as { open: AlertKey[] }).open;
  const alert = { kind: open.kind, subject: open.subject, code: open.code ?? '' };
  const context = await workspaceContext(workspace);
  await muteAlert(context, { alert, forMs: 60_000, because: 'repairs' }, decider('ada'));
  lists.push(await printed(['alerts'], workspace.root));
  describes(['registrar alerts'], lists);
  describes(['registrar alerts test'], [await printed(['alerts', 'test'], workspace.root)]);
  const lines = readFileSync(join(workspace.root, 'alerts.jsonl'), 'utf8').trimEnd().split('\n');
  const posted = lines.map((line) => JSON.parse(line) as unknown);
  expect(differences(ALERTS, ['What is posted'], posted)).toEqual([]);
  expect(unseenFields(ALERTS, ['What is posted'], posted)).toEqual([]);
  const kinds = cells(table(ALERTS, 'What raises an alert')).flatMap(
    ([kind = '']) => kind.match(/[\w-]+/g) ?? [],
  );
  expect(kinds).toEqual(ALERT_KINDS);
});

it('docs/cli-json.md describes healthcheck', async () => {
  const workspace = await testWorkspace({
    environments: { main: { deliverBy: '23:59', timeZone: 'UTC' } },
  });
  const health = (...more: string[]) =>
    printed(['healthcheck', ...more], workspace.root, { env: CREDENTIALS });
  const documents = [await health()];
  workspace.drop('good.csv', GOOD);
  await printed(['run'], workspace.root, { env: { ...CREDENTIALS, REGISTRAR_CLIENT_SECRET: 'wrong' } });
  documents.push(await health('--work'));
  describes(['registrar healthcheck'], documents);
  const listed = cells(table(document('docs/monitoring.md'), 'Health'));
  expect([...new Set(listed.map(([, part]) => part?.replaceAll('`', '')))]).toEqual([...HEALTH_PARTS]);
  const codes = listed.flatMap(([code = '']) =>
    code
      .replaceAll('`', '')
      .split(', ')
      .map((one) => one.split(':')[0]),
  );
  expect([...new Set(codes)].sort()).toEqual([...HEALTH_CODES].sort());
});

it('docs/cli-json.md describes correct', async () => {
  const workspace = await testWorkspace({ sources: { academy: {}, campus: {} } });
  const { root } = workspace;
  workspace.drop('good.csv', GOOD);
  await workspace.cli('run', '--no-push');
  workspace.drop('a.csv', csvOf([exportRow(1, { email: 'nobody' })]), 'campus');
  await workspace.cli('run', '--no-push');
  const json = (...args: string[]) => printed(['correct', ...args], root);
  const row = (email: string) => ['a.csv:2', '--set', `Email=${email}`];
  describes(
    ['registrar correct'],
    [await json(...row('nobody else'), '--dry-run'), await json(...row('ada@example.org'), '--because', 'x')],
    { 'issues[]': ['An issue'] },
  );
});

it('docs/cli-json.md describes replace', async () => {
  const workspace = await testWorkspace();
  const wrong = ['one(at)example.org', 'two(at)', 'three(at)example.org'];
  workspace.drop('a.csv', csvOf(wrong.map((email, n) => exportRow(n + 1, { email }))));
  await workspace.cli('run', '--no-push');
  const all = ['--all', '--column', 'Email', '--find', '(at)', '--with', '@'];
  const json = (...args: string[]) => printed(['replace', ...all, ...args], workspace.root);
  const documents = [await json('--dry-run'), await json('--because', 'masked')];
  describes(['registrar replace'], documents, { 'selected[].issues[]': ['An issue'] });
  expect(documents).toMatchObject([
    { dryRun: true, corrected: 2, decision: null },
    { dryRun: false, corrected: 2, decision: 1, moved: 0, resolved: 2 },
  ]);
  expect(replacementSchema.array().parse(documents)).toEqual(documents);
});

it('docs/cli-json.md describes restage', async () => {
  const workspace = await testWorkspace();
  const rows = [exportRow(1, { status: 'Waved through' }), exportRow(2, { email: 'nobody' })];
  workspace.drop('a.csv', csvOf(rows));
  await workspace.cli('run', '--no-push');
  setSources(workspace, { status: { completed: ['waved through'] } });
  const json = (...args: string[]) => printed(args, workspace.root);
  describes(['registrar restage'], [await json('restage', '1', '--dry-run'), await json('restage', '1')]);
});

it('docs/cli-json.md describes map', async () => {
  const workspace = await testWorkspace();
  const json = (...args: string[]) => printed(args, workspace.root);
  workspace.drop('good.csv', `${GOOD}benn.unknown@example.com,C-1,2025-03-03T09:12:00Z,0\n`);
  workspace.drop('known.csv', GOOD.replaceAll('ben.unknown', 'ben.unknwon'));
  await json('run');
  const old = 'ben.unknown@example.com';
  const mapping = [old, 'ben@example.com', '--because', 'a typo'];
  describes(['registrar map, the list'], [await json('map'), await json('map', old)]);
  describes(['registrar map'], [await json('map', ...mapping, '--dry-run'), await json('map', ...mapping)]);
});

it('docs/cli-json.md describes doctor', async () => {
  const workspace = await testWorkspace();
  workspace.drop('October.xls', 'x');
  const document = await printed(['doctor'], workspace.root);
  describes(['registrar doctor'], [document]);
  const words = /(`node`.*) \|$/m.exec(table(PAGE, 'registrar doctor'))?.[1];
  expect(words?.match(/\w+(?=`)/g)).toEqual(CHECKS);
});

it('docs/cli-json.md describes backup and purge', async () => {
  const workspace = await testWorkspace();
  const json = (...args: string[]) => printed(args, workspace.root);
  workspace.drop('good.csv', GOOD);
  await json('run');
  const kept = join(tempFolder(), 'kept.db');
  describes(['registrar backup'], [await json('backup', kept)]);
  describes(['registrar backup, a test'], [await json('backup', kept, '--verify')]);
  describes(['registrar ledger'], [await json('ledger', 'copy', '--to', join(tempFolder(), 'other.db'))]);
  await json('dismiss', '--all', '--because', 'entered by hand');
  workspace.drop('closed.csv', GOOD.replace(/^cy.*\n/m, '').replaceAll('C-1', 'C-3'));
  await json('run', '--no-push');
  await json('dismiss', '--state', 'waiting', '--all', '--because', 'entered by hand');
  const purge = ['purge', '--before', isoFromMs(systemClock().nowMs())];
  describes(['registrar purge'], [await json(...purge, '--dry-run'), await json(...purge)]);
});

it('docs/cli-json.md describes restore', async () => {
  const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is set back' });
  const json = (...args: string[]) => printed(args, workspace.root);
  const backup = join(tempFolder(), 'kept.db');
  await json('run');
  await json('backup', backup);
  workspace.drop('good.csv', GOOD);
  await json('run');
  await json('forget', 'ada@example.com', '--because', 'she asked');
  describes(['registrar restore'], [await json('restore', backup, '--because', 'a drill')]);
  describes(['registrar restore, finished'], [await json('restore', '--finish', '--because', 'a drill')]);
  const lost = [];
  for (const lose of [truncateSync, rmSync]) {
    lose(join(workspace.root, 'registrar.db'));
    lost.push(await json('init', '--new-ledger'));
  }
  describes(['registrar init, a new ledger'], lost);
});

it('docs/cli-json.md describes forget', async () => {
  const workspace = await testWorkspace();
  const json = (...args: string[]) => printed(args, workspace.root);
  workspace.drop('good.csv', GOOD);
  await json('run');
  const forget = ['forget', 'ada@example.com', '--because', 'she asked'];
  // A reason that names the person is for ever: the proof finds it.
  await json('dismiss', '--all', '--because', 'for ada@example.com');
  const documents = [await json(...forget, '--dry-run'), await json(...forget, '--reports')];
  describes(['registrar forget'], documents);
});

it('docs/cli-json.md describes trace', async () => {
  const workspace = await testWorkspace({
    sources: { academy: { columns: { 'content-title': 'Title' } } },
    sandbox: { faults: { schedule: [{ kind: 'drop-after', match: 'C-9', times: 1 }] } },
  });
  const json = (...args: string[]) => printed(args, workspace.root);
  const titled = GOOD.replace('Score', 'Score,Title')
    .replaceAll(/\n(?=.)/g, ',x\n')
    .replace(',x', '');
  workspace.drop('good.csv', `${titled.trimEnd()},x\nben.unknown@example.com,C-9,2025-03-03T09:12:00Z,0,x\n`);
  await json('run');
  const traces = [await json('trace', 'good.csv:3')];
  await json('map', 'ben.unknown@example.com', 'ben@example.com', '--because', 'a typo');
  await json('run');
  for (const what of ['ben@example.com', 'good.csv:2', 'good.csv:5', '#99'])
    traces.push(await json('trace', what));
  await json('dismiss', '--row', 'good.csv:5', '--because', 'a guess');
  traces.push(await json('trace', 'good.csv:5'));
  workspace.drop('late.csv', titled.split('\n').slice(0, 2).join('\n').replace('C-1', 'C-8'));
  await json('run', '--no-push');
  await json('correct', 'late.csv:2', '--set', 'Score=50', '--because', 'called her');
  traces.push(await json('trace', 'late.csv:2'));
  const remedies = { 'submissions[].choices[].remedy': ['A remedy'] };
  expect(differences(PAGE, ['registrar trace'], traces, remedies)).toEqual([]);
  expect(unseenFields(PAGE, ['registrar trace'], traces)).toEqual([]);
});

it('docs/cli-json.md describes a remedy', () => {
  const rows = {
    states: ['held'],
    cause: 'canary',
    run: 1,
    file: 'a.csv',
    since: '2026-03-01',
  } as const;
  const remedies: readonly Remedy[] = [
    { action: 'map' },
    { action: 'restage', drop: 3 },
    { action: 'restore', finish: true },
    { action: 'dismiss', drop: 3 },
    { action: 'dismiss', selection: { ...rows, rows: [1] } },
    { action: 'rerun', selection: rows },
  ];
  describes(['A remedy'], remedies);
  const listed = /^\| `action` .*$/m.exec(table(PAGE, 'A remedy'))?.[0].match(/(?<=`)\w+(?=`[,| ])/g);
  const actions: readonly Remedy['action'][] = remedies.map(({ action }) => action);
  expect(listed?.filter((word) => word !== 'action').sort()).toEqual([...new Set(actions)].sort());
});

it('docs/cli-json.md describes schedule', async () => {
  const { root } = await testWorkspace({ schedule: [{ cron: '0 0 1 1 *', do: ['run'] }] });
  describes(['registrar schedule'], [await printed(['schedule'], root, { stopped: true })]);
});

it('docs/cli-json.md describes sandbox', async () => {
  const document = await printed(['sandbox', '--port', '0'], tempFolder(), { stopped: true });
  describes(['registrar sandbox'], [document]);
});

it('docs/cli-json.md describes an error', async () => {
  const ended = await commandLine(['status', '--json'], { cwd: tempFolder() });
  describes(['An error'], [documentOf<unknown>(ended)]);
});

/** The slower tests have the others. */
const FIRST_SHOWS = SAMPLE_SHOWS.slice(0, 1);

describe('data/README.md says what becomes of the lines of each sample', () => {
  it.each(FIRST_SHOWS.map((show) => [show.operations.join(', '), show] as const))('%s', (_, show) =>
    expectLinesAsDocumented(show),
  );

  it('and no sample is without a table', () => {
    const samples = readdirSync(SAMPLES).filter((name) => name !== 'presets');
    const shown = SAMPLE_SHOWS.flatMap(({ rounds }) => rounds.flat()).map(({ file }) => file);
    expect(shown.sort()).toEqual(samples.sort());
  });
});

/** The first row of a text file as the attention file of drop 1 with these bytes would hold it. */
function attentionFile(text: string): string {
  const [header = '', row = ''] = text.split('\n');
  const mark = dropMark(1, createHash('sha256').update(text).digest('hex'));
  return `${header},_row,_drop\n${row},2,${mark}\n`;
}

/** All that the documents hold is on the page, and all that the page promises is in one of them. */
function describes(
  sections: readonly string[],
  documents: readonly unknown[],
  references: References = {},
): void {
  expect(differences(PAGE, sections, documents, references)).toEqual([]);
  expect(unseenFields(PAGE, sections, documents, references)).toEqual([]);
}

/** With the same client id, without Registrar. */
async function anotherProgramCalls({ sandbox }: TestWorkspace): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CREDENTIALS.REGISTRAR_CLIENT_ID,
      client_secret: CREDENTIALS.REGISTRAR_CLIENT_SECRET,
      scope: 'completions:write',
    });
    await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body });
  }
}

/** This process holds the lease of the environment meanwhile. */
async function whileAnotherDelivers<T>(workspace: TestWorkspace, work: () => Promise<T>): Promise<T> {
  const ledger = openLedger(join(workspace.root, 'registrar.db'), systemClock());
  const lease = await takeLease(ledger, 'push:main', thisProcess(), null);
  try {
    return await work();
  } finally {
    if (isLease(lease)) await releaseLease(ledger, lease);
    closeLedger(ledger);
  }
}

/** The number of a submission in this state. */
function idOf({ query }: TestWorkspace, state: string): number {
  const [found] = query<{ id: number }>(
    `select submission_id as id from submission where state = '${state}' limit 1`,
  );
  return found?.id ?? 0;
}

/** Rows that wait for the environment are then stranded. */
function renameEnvironment({ root }: TestWorkspace): void {
  const path = join(root, 'registrar.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"main"', '"another"'));
}

/** A surplus row, which the ledger refuses as long as it has its triggers. */
function unbalance({ root }: TestWorkspace): void {
  const ledger = new BetterSqlite3(join(root, 'registrar.db'));
  const guards = ledger.prepare(
    "select name from sqlite_schema where type = 'trigger' and tbl_name = 'drop_file'",
  );
  for (const name of guards.pluck().all()) ledger.exec(`drop trigger "${name}"`);
  ledger.prepare('update drop_file set rows_read = rows_read + 1 where drop_id = 1').run();
  ledger.close();
}
