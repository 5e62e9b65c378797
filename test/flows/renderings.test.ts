import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { cellText } from '../../src/domain/row.js';
import { openDrop } from '../../src/intake/open-drop.js';
import { type Report, reconcile } from '../../src/report/report.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { allRows } from '../support/open-content.js';
import { namedFigures } from '../support/page-figures.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { withLedger } from '../support/workspace-ledger.js';

/** Numbers of a report by name: `rows`, `staged`, `accepted`, `attempts total`, … */
type Totals = Readonly<Record<string, number>>;

/** Each rendering, and how its numbers are read off it; one that doesn't show a number leaves it out. */
const RENDERINGS: Readonly<Record<string, (folder: string) => Promise<Totals> | Totals>> = {
  'report.txt': (folder) => terminalTotals(readFileSync(join(folder, 'report.txt'), 'utf8')),
  'report.json': (folder) => totalsOf(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))),
  'the pairs of CSV': csvTotals,
  'the correction workbook': guideTotals,
  'report.html': pageTotals,
};

it('every rendering has the numbers of the one report', async () => {
  const workspace = await variedWorkspace();
  const model = await modelOf(workspace);
  const out = tempFolder();
  expect((await workspace.cli('report', '--out', out)).code).toBe(0);
  const folder = join(out, readdirSync(out)[0] ?? '');
  const totals = totalsOf(model);
  // A number that is 0 everywhere would always be equal.
  for (const name of [
    'duplicate',
    'amended',
    'invalid',
    'skipped',
    'accepted',
    'rejected',
    'held',
    'attempts throttled',
  ]) {
    expect([name, totals[name]]).not.toEqual([name, 0]);
  }
  for (const [name, read] of Object.entries(RENDERINGS)) {
    const shown = await read(folder);
    expect(Object.keys(shown).length, name).toBeGreaterThan(1);
    expect({ name, ...shown }).toEqual({ name, ...pick(totals, Object.keys(shown)) });
  }
});

it('a row with several issues counts under one cause, in every list of causes and of who acts', async () => {
  const workspace = await testWorkspace();
  const split = exportRow(21, { course: 'COURSE-1,part two', status: 'Erledigt?' });
  workspace.drop(
    'a.csv',
    csvOf([
      ...exportRows(20),
      split,
      exportRow(22, { at: 'soon', status: 'Erledigt?' }),
      exportRow(23, { status: 'Erledigt?' }),
      exportRow(24, { email: 'nobody', at: 'never' }),
    ]),
  );
  const { report } = await workspace.run();
  const counts = Object.fromEntries(report.causes.map(({ code, count }) => [code, count]));
  expect(counts).toEqual({
    'row-ragged': 1,
    'timestamp-invalid': 1,
    'status-unknown': 1,
    'email-invalid': 1,
  });
  expect(report.attentionRows).toBe(4);

  const folder = report.reportFolder ?? '';
  const text = readFileSync(join(folder, 'report.txt'), 'utf8');
  expect([...text.matchAll(/^ +(\d+) +invalid /gm)].map(([, count]) => Number(count))).toEqual([1, 1, 1, 1]);
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(namedFigures(page)).toMatchObject({ attentionRows: 4, 'cause status-unknown invalid': 1 });
  const [guide = ''] = namesIn(folder, '.attention.xlsx');
  const tasks = await sheetOf(join(folder, guide), 'What to do');
  const counted = tasks.filter(([who = '', count = '']) => who !== 'Who' && count !== '');
  expect(counted.map(([, count]) => count)).toEqual(['3', '1', '4']);
  const { attention } = documentOf<StatusCounts>(await workspace.cli('status', '--json'));
  expect(Object.fromEntries(attention.map(({ code, count }) => [code, count]))).toEqual(counts);
  const selected = await workspace.cli(
    'dismiss',
    '--state',
    'invalid',
    '--reason',
    'status-unknown',
    '--dry-run',
    '--json',
  );
  expect(documentOf<{ count: number }>(selected).count).toBe(1);
});

interface StatusCounts {
  readonly attention: readonly { readonly code: string; readonly count: number }[];
}

/** Two sources with every disposition, most states, a repeat and a refused file. */
async function variedWorkspace(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({
    sources: { academy: {}, campus: {} },
    sandbox: { faults: parseFaults('throttle@3,server-error@5') },
  });
  const unknown = { email: 'unknown@example.org' };
  workspace.drop(
    'a.csv',
    `${csvOf([
      ...exportRows(5),
      exportRow(2),
      exportRow(3, { score: 99 }),
      exportRow(10, { email: '=1+1' }),
      exportRow(11, { status: 'Not started' }),
      exportRow(12, unknown),
      exportRow(13, unknown),
    ])}Total: 11,,,,\n`,
  );
  workspace.drop('b.csv', csvOf([...exportRows(4, 3), exportRow(20, { at: 'never' })]), 'campus');
  workspace.drop('c.csv', 'nothing that has a header\nor rows\n', 'campus');
  await workspace.run();
  workspace.drop('d.csv', csvOf([exportRow(1, { score: 77 })]));
  await workspace.run();
  return workspace;
}

function modelOf(workspace: TestWorkspace): Promise<Report> {
  return withLedger(workspace, (ledger) => reconcile(ledger, {}));
}

function totalsOf(
  report: Pick<Report, 'rows' | 'dispositions' | 'states' | 'attempts' | 'attention'>,
): Totals {
  const attempts = Object.entries(report.attempts).map(([name, count]) => [`attempts ${name}`, count]);
  const { rows, attention } = report;
  return { rows, attention, ...report.dispositions, ...report.states, ...Object.fromEntries(attempts) };
}

function terminalTotals(text: string): Totals {
  const sum = (title: string) => {
    const [, total, parts = ''] = new RegExp(`^${title} +(\\d+) = (.*)$`, 'm').exec(text) ?? [];
    return { total: Number(total), parts: [...parts.matchAll(/(\d+) ([a-z][a-z -]*[a-z])/g)] };
  };
  const named = (title: string, names: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(sum(title).parts.map(([, count, name = '']) => [names[name] ?? name, Number(count)]));
  const [, throttled, repeats] = /(\d+) throttled \(429\), (\d+) sent again/.exec(text) ?? [];
  return {
    rows: sum('rows read').total,
    ...named('rows read'),
    ...named('submissions'),
    'attempts total': sum('requests').total,
    ...named('requests', { answered: 'attempts responses', 'without answer': 'attempts noResponses' }),
    'attempts throttled': Number(throttled),
    'attempts repeats': Number(repeats),
    attention: [...(/(?:(\d+) rows?)?(?: and )?(?:(\d+) files?)? needs? attention/.exec(text) ?? [])]
      .slice(1)
      .reduce((sum, part) => sum + Number(part ?? 0), 0),
  };
}

function csvTotals(folder: string): Totals {
  const rowsOf = (kind: string) =>
    namesIn(folder, `.${kind}.csv`).flatMap(
      (name) =>
        parse(readFileSync(join(folder, name)), { bom: true, columns: true }) as Record<string, string>[],
    );
  return {
    accepted: rowsOf('accepted').length,
    ...byState(rowsOf('attention').map(({ _state = '' }) => _state)),
  };
}

async function guideTotals(folder: string): Promise<Totals> {
  const [name = ''] = namesIn(folder, '.attention.xlsx');
  const rows = await sheetOf(join(folder, name), 'What to do');
  const first = rows.findIndex(([who]) => who === 'Who') + 1;
  const last = rows.findIndex(([who]) => who === 'Together');
  const counts = rows.slice(first, last).map(([, count]) => Number(count));
  const [, accepted] = rows.map(([text = '']) => /^(\d+) rows accepted/.exec(text)).find((it) => it) ?? [];
  return { attention: counts.reduce((sum, count) => sum + count, 0), accepted: Number(accepted) };
}

/** Dispositions and states go by their own names, and their parts of a request by `attempts`. */
function pageTotals(folder: string): Totals {
  const figures = namedFigures(readFileSync(join(folder, 'report.html'), 'utf8'));
  const known = Object.entries(figures).flatMap(([name, value]): [string, number][] => {
    const [group = '', part] = name.split('.');
    if (part === undefined) return name === 'rows' || name === 'attention' ? [[name, value]] : [];
    if (group === 'attempts') return [[`attempts ${part}`, value]];
    return group === 'dispositions' || group === 'states' ? [[part, value]] : [];
  });
  return Object.fromEntries(known);
}

/** Nothing was decided about the invalid rows, so all of them are there. */
function byState(states: readonly string[]): Totals {
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  return {
    invalid: count('invalid'),
    rejected: count('rejected'),
    held: count('held'),
    failed: count('failed'),
  };
}

async function sheetOf(path: string, sheet: string): Promise<string[][]> {
  return (await allRows(await openDrop(path, {}), sheet)).map(({ cells }) => cells.map(cellText));
}

function namesIn(folder: string, suffix: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(suffix));
}

function pick(totals: Totals, names: readonly string[]): Totals {
  return Object.fromEntries(names.map((name) => [name, totals[name] ?? Number.NaN]));
}
