import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { commandLine } from '../support/command-line.js';
import { cells, document, fencesOf, tables } from '../support/markdown.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, startCli } from '../support/workspace.js';

type Row = Readonly<Record<string, string>>;

const PAGE = document('docs/audit-sql.md');

/** Each query of the page with the rows that are shown below it. */
const SHOWN = [...PAGE.matchAll(/^```sql\n([\s\S]*?)^```\n\n^```text\n([\s\S]*?)^```/gm)].map(
  ([, query = '', output = '']) => ({ query, rows: rowsIn(output) }),
);

/** Columns whose values are another ledger's own: times, and the name of the person who decides. */
const VARYING = /^(?:month|hour|who|at|(?!occurred_)\w+_at)$/;

/** The platform numbers completions as they come: a record that is sent again is one of the next. */
const COMPLETION = /completion-\d+/;

it('each query of the page answers as it shows, on the ledger that its commands make', {
  tags: ['sqlite3'],
}, async () => {
  const file = await demoLedger();
  expect(SHOWN).toHaveLength(fencesOf(PAGE, 'sql').length);
  const answers = answersTo(
    file,
    SHOWN.map(({ query }) => query),
  );
  const answered = SHOWN.map(({ query }, index) => ({ query, rows: answers[index] ?? [] }));
  expect(answered.map(masked)).toEqual(SHOWN.map(masked));
});

it('the tables of the page are in the ledger, with the columns that it calls personal', () => {
  const schema = document('migrations/sqlite/0001-ledger.sql');
  const [named = ''] = tables(PAGE, 'The tables');
  const missing = cells(named).flatMap(([name = '', , personal = '']) => {
    const [, columns] =
      new RegExp(`^create table ${name} \\(\\n([\\s\\S]*?)^\\) strict`, 'm').exec(schema) ?? [];
    const wanted = [...personal.matchAll(/\w+/g)].map(([column]) => column);
    return columns === undefined
      ? [name]
      : wanted.filter((column) => !new RegExp(`^  ${column} `, 'm').test(columns));
  });
  expect(missing).toEqual([]);
});

/** The ledger's file, made by the commands of the page. */
async function demoLedger(): Promise<string> {
  const commands = fencesOf(PAGE, 'sh').find((fence) => fence.startsWith('registrar demo\n')) ?? '';
  const [demo = [], variables = [], ...decisions] = commands.trim().split('\n').map(wordsOf);
  const env = Object.fromEntries(variables.map((variable) => variable.split('=')));
  const folder = tempFolder();
  const hour = hourNow();
  const ended = await startCli([...demo, '--json'], { cwd: folder, env: { TMPDIR: folder } }).ended;
  // Requests are counted by the hour: the page shows a single one.
  if (hourNow() !== hour) return demoLedger();
  const { workspace } = documentOf<{ workspace: string }>(ended);
  for (const command of decisions) {
    const { code, stderr } = await commandLine(command, { cwd: workspace, env });
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  return join(workspace, 'registrar.db');
}

function hourNow(): string {
  return isoFromMs(systemClock().nowMs()).slice(0, 13);
}

/** The arguments of a command of the program. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return words.slice(1);
}

/** The output of SQLite's shell for each query. */
function answersTo(file: string, queries: readonly string[]): Row[][] {
  const input = queries.join(`\n.print ${BETWEEN}\n`);
  const printed = execFileSync('sqlite3', ['-readonly', '-json', file], { input, encoding: 'utf8' });
  return printed.split(`${BETWEEN}\n`).map((answer) => {
    const rows = answer === '' ? [] : (JSON.parse(answer) as Record<string, string | number | null>[]);
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value ?? '')])),
    );
  });
}

const BETWEEN = '----';

/** What `sqlite3 -header -column` has printed: the line below the header shows where each column is. */
function rowsIn(output: string): Row[] {
  const [header = '', rule = '', ...lines] = output.trimEnd().split('\n');
  const columns = [...rule.matchAll(/-+/g)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  const cut = (line: string) => columns.map(([from, to]) => line.slice(from, to).trimEnd());
  const names = cut(header);
  return lines.map((line) => Object.fromEntries(cut(line).map((value, at) => [names[at], value])));
}

function masked({ query, rows }: { readonly query: string; readonly rows: readonly Row[] }) {
  return {
    query,
    rows: rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          VARYING.test(column) ? '…' : value.replace(COMPLETION, '…'),
        ]),
      ),
    ),
  };
}
