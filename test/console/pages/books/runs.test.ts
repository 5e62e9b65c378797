import { readdirSync } from 'node:fs';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { QUERIES } from '../../../../src/actions/browse/queries.js';
import { thisProcess } from '../../../../src/ledger/leases/owner.js';
import { beginRun, endRun } from '../../../../src/ledger/leases/runs.js';
import { type Ledger, prepared } from '../../../../src/ledger/store/query.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger, PERSONAL } from '../../../support/browsed-ledger.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { testLedger } from '../../../support/staged-ledger.js';
import { tempFolder } from '../../../support/temp-folder.js';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await browsedLedger();
});

async function opened() {
  return peopledConsole(actionContext(ledger));
}

it('the runs are listed with their imported rows and their requests', async () => {
  const { as } = await opened();
  const page = await read(await (await as('viewer')).get('/runs'));
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/Run 2 .*automatic .*Run 1 /);
  expect(page.markup).toContain('<a href="/runs/1">Run 1</a>');
  const none = await read(await (await as('viewer')).get('/runs?end=unbalanced'));
  expect(none.text).toContain('No run matches. Show all');
});

it('a ledger without runs says what to do', async () => {
  ledger = testLedger();
  const { as } = await opened();
  expect((await read(await (await as('viewer')).get('/runs'))).text).toContain('No runs yet.');
});

it('pages of runs follow one another without a gap, also under a filter', async () => {
  const few = testLedger();
  for (let count = 0; count < 7; count += 1) {
    const runId = await beginRun(few, count % 2 === 0 ? 'cron' : 'manual', thisProcess(), 'test');
    await endRun(few, runId, count < 4 ? 'done' : 'error');
  }
  const listed = async (filter: object) => {
    const found: number[] = [];
    for (let after: number | null = null; ; ) {
      const request = { trigger: null, end: null, limit: 2, after, ...filter };
      const page: Awaited<ReturnType<typeof QUERIES.runs>> = await QUERIES.runs(actionContext(few), request);
      found.push(...page.rows.map(({ runId }) => runId));
      if (page.next === null) return { found, total: page.total };
      after = page.next;
    }
  };
  expect(await listed({})).toEqual({ found: [7, 6, 5, 4, 3, 2, 1], total: 7 });
  expect(await listed({ trigger: 'cron' })).toEqual({ found: [7, 5, 3, 1], total: 4 });
  expect(await listed({ end: 'error', trigger: 'manual' })).toEqual({ found: [6], total: 1 });
  expect(await listed({ end: 'open' })).toEqual({ found: [], total: 0 });
});

function giveRequests(runId: number, environment: string, count: number): void {
  prepared(
    ledger,
    `insert into attempt (run_id, environment, operation, lease_fence, started_at)
      select ?, ?, 'submit-completion', 1, '2026-03-01T00:00:00.000Z' from
      (with recursive n (i) as (values (1) union all select i + 1 from n where i < ?) select i from n)`,
  ).run(runId, environment, count);
}

it('a list counts the requests of a run up to 5,000, the page of the run counts all', async () => {
  giveRequests(1, 'main', 5_001);
  const { as } = await opened();
  const viewer = await as('viewer');
  const list = await read(await viewer.get('/runs'));
  expect(list.text).toContain('over 5,000');
  expect((await read(await viewer.get('/runs/1'))).text).toContain('5,001 requests');
});

it('a run shows what its report says, with links in place of commands', async () => {
  const { as } = await opened();
  const operator = await as('operator');
  const first = await read(await operator.get('/runs/1'));
  const report = await read(await operator.get('/runs/1/report.html'));
  expect(first.text).toContain('Imported 1 file with 17 rows');
  expect(first.markup).toContain('<a href="/files/1">');
  expect(first.markup).toMatch(/<a href="\/attention\/rows\?run=1&amp;cause=[\w-]+&amp;states=\w+">/);
  expect(first.text).not.toContain('registrar rerun');
  expect(report.text).toContain('registrar rerun');
  const sumsIn = (markup: string) =>
    [...markup.matchAll(/<data value="(\d+)" data-figure="([\w.-]+)"/g)].map(String);
  for (const figure of sumsIn(first.markup)) expect(sumsIn(report.markup)).toContain(figure);
  expect(sumsIn(first.markup).length).toBeGreaterThan(20);
  expect((await read(await (await as('viewer')).get('/runs/1'))).markup).not.toContain('href="/decide');
  expect((await read(await operator.get('/runs/2'))).text).toContain('No files were received.');
});

it.each([
  ['/runs/99', 404],
  ['/runs/x', 404],
  ['/runs/99/report.html', 404],
  ['/runs/x/report.json', 404],
])('%s is refused, because there is no such run', async (path, status) => {
  const { as } = await opened();
  expect((await (await as('operator')).get(path)).status).toBe(status);
});

it('the report is a complete document under a policy that allows only its own style', async () => {
  const { as } = await opened();
  const report = await (await as('operator')).get('/runs/1/report.html');
  const policy = report.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(report.headers.get('cache-control')).toBe('no-store');
  const page = await read(report);
  expect(page.text).toContain('Made to be passed on: it has no rows.');
  expect(page.markup).not.toContain('class="file"');
});

it('a viewer gets the report masked, and none of its files', async () => {
  const { as } = await opened();
  const viewer = await as('viewer');
  for (const path of ['/runs/1', '/runs/2', '/report', '/runs']) {
    const { status, markup } = await read(await viewer.get(path));
    expect([path, status]).toEqual([path, 200]);
    for (const personal of PERSONAL) expect(markup.toLowerCase()).not.toContain(personal);
  }
  for (const path of ['/runs/1/report.html', '/runs/1/attention.xlsx', '/runs/1/report.json', '/report.html'])
    expect((await viewer.get(path)).status).toBe(403);
  const page = await read(await (await as('auditor')).get('/runs/2/report.html'));
  for (const personal of PERSONAL) expect(page.markup.toLowerCase()).not.toContain(personal);
});

it('a report’s files are sent complete, under a name, and leave nothing in the folder of temporary files', async () => {
  const { as } = await opened();
  const before = process.env.TMPDIR;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const temporary = tempFolder();
  process.env.TMPDIR = temporary;
  const auditor = await as('auditor');
  const workbook = await auditor.get('/runs/1/attention.xlsx');
  expect(workbook.headers.get('content-disposition')).toBe('attachment; filename="run-1.attention.xlsx"');
  const bytes = Buffer.from(await workbook.arrayBuffer());
  expect([bytes.subarray(0, 2).toString(), bytes.length]).toEqual([
    'PK',
    Number(workbook.headers.get('content-length')),
  ]);
  expect((await read(await auditor.get('/runs/1'))).markup).toContain('href="/runs/1/attention.xlsx"');
  const empty = await beginRun(ledger, 'manual', thisProcess(), 'test');
  expect((await read(await auditor.get(`/runs/${empty}`))).markup).not.toContain('attention.xlsx');
  expect((await auditor.get(`/runs/${empty}/attention.xlsx`)).status).toBe(409);
  const json = (await (await auditor.get('/runs/1/report.json')).json()) as { rows: number };
  expect(json.rows).toBe(17);
  expect(readdirSync(temporary)).toEqual([]);
});

it('a report is chosen by source, file and time, and a wrong time is reported', async () => {
  const { as } = await opened();
  const person = await as('auditor');
  const all = await read(await person.get('/report'));
  expect(all.markup).toContain('<option value="academy">academy</option>');
  expect(all.markup).toMatch(/<a href="\/attention\/rows\?cause=[\w-]+&amp;states=\w+">/);
  const query = '?source=academy&since=2020-01-01';
  const chosen = await read(await person.get(`/report${query}&file=&until=`));
  expect(chosen.markup).toContain('<option value="academy" selected>academy</option>');
  // A list of rows has no filter by source.
  expect(chosen.markup).not.toContain('href="/attention/rows?');
  expect(chosen.markup).toContain(`href="/report.html${query.replace('&', '&amp;')}"`);
  const document = await read(await person.get(`/report.html${query}`));
  expect(document.text).toContain('source academy');
  expect(document.text).toContain('imported from 2020-01-01');
  expect((await person.get('/report.html?source=none')).status).toBe(404);
  const none = await read(await person.get('/report?source=none'));
  expect(none.text).toContain('none');
  const wrong = await read(await person.get('/report?since=yesterday'));
  expect([wrong.status, wrong.text]).toEqual([
    409,
    expect.stringContaining('“yesterday”'.replace(/[“”]/g, '&quot;')),
  ]);
});
