import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, it } from 'vitest';
import { deliverSamples, demoConfig } from '../../src/actions/demo/demo.js';
import { RIGHT_ADDRESS } from '../../src/domain/files/correction-workbook.js';
import type { SandboxPlatform } from '../../src/sandbox/platform.js';
import { attentionIn, corrected, savedCsv, savedWorkbook } from '../support/attention-file.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { addLedger, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const QUOTA = { requests: 70, perMs: 500 } as const;

/** The mistakes in the samples, and their corrections. */
const CORRECTIONS: Readonly<Record<string, string>> = {
  'hugo.martin@northwind': 'hugo.martin@northwind.example',
  'pavel@@northwind.example': 'pavel@northwind.example',
  'hana.sato@northwind.example; ivo.sato@northwind.example': 'hana.sato@northwind.example',
  '2025-10-26T02:30:00': '2025-10-26T02:30:00+01:00',
  '31.02.2025': '28.02.2025',
  '185': '85',
  'Waved through': 'Attended',
};

function correctedRow(row: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, text]) => [
      column,
      column.startsWith('_') ? text : (CORRECTIONS[text] ?? text.replace('.unknown@', '.renamed@')),
    ]),
  );
}

it('the samples of the demo, corrected in the correction workbook and dropped once, leave only what a setting resolves', async () => {
  const workspace = await deliveredDemo();
  const [folder = ''] = workspace.files('reports').filter((path) => path.endsWith('.attention.xlsx'));
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(join(workspace.root, 'reports', folder));
  const names = workbook.worksheets.map(({ name }) => name);
  expect(names).toEqual(['What to do', 'Correct academy', 'Correct campus', 'Correct workshops', 'Learners']);
  for (const sheet of workbook.worksheets) {
    const header = (sheet.getRow(1).values as unknown[]).map((_, column) => sheet.getCell(1, column).text);
    const [learner, address] = ['Learner', RIGHT_ADDRESS].map((name) => header.indexOf(name));
    sheet.eachRow((row) => {
      row.eachCell((cell) => {
        const better = CORRECTIONS[cell.text];
        if (cell.fill?.type === 'pattern' && better !== undefined) cell.value = better;
      });
      if (sheet.name !== 'Learners' || row.number === 1) return;
      row.getCell(address ?? 0).value = row.getCell(learner ?? 0).text.replace('.unknown@', '.renamed@');
    });
  }
  workspace.drop('corrected by all of us.xlsx', Buffer.from(await workbook.xlsx.writeBuffer()), 'campus');
  const { report } = await workspace.run();
  const books = await workspace.books();
  expect(books).toMatchObject({ balanced: true, attention: 1, unknownLearners: { learners: 0, rows: 0 } });
  expect(books.causes.map(({ code }) => code)).toEqual(['status-unknown']);
  expect(report.states.waiting).toBe(0);
  const learners = (workbook.getWorksheet('Learners')?.rowCount ?? 0) - 1;
  expect(learners).toBeGreaterThan(1);
  expect(workspace.query("select count(*) as n from decision where kind = 'map'")).toEqual([{ n: learners }]);
});

it('the samples of the demo, corrected and dropped again, are all accepted, and nothing is left to do', async () => {
  const workspace = await deliveredDemo();
  const [reported = ''] = readdirSync(join(workspace.root, 'reports'));
  const [academy, campus, workshops] = [1, 2, 3].map((dropId) =>
    corrected(attentionIn(join(workspace.root, 'reports', reported), dropId), correctedRow),
  );
  if (!academy || !campus || !workshops) throw new Error('there are three attention files');
  workspace.drop('academy corrected.csv', savedCsv(academy), 'academy');
  workspace.drop('campus corrected.csv', savedCsv(campus, ';'), 'campus');
  workspace.drop('workshops.attention.xlsx', await savedWorkbook(workshops), 'workshops');
  const second = await workspace.run();
  expect(second.code).toBe(0);
  const made = second.report.corrections.reduce((sum, { rows }) => sum + rows.made, 0);
  const issues = second.report.corrections.reduce((sum, one) => sum + one.issues, 0);
  expect([made, issues]).toEqual([12, 0]);

  const books = await workspace.books();
  expect(books).toMatchObject({ balanced: true, attention: 0, causes: [] });
  expect(workspace.states()).toEqual({ accepted: books.states.accepted, replaced: 5 });
  const completions = [...receivedBefore, ...workspace.sandbox.platform.completions()];
  expect(completions).toHaveLength(books.states.accepted ?? 0);
  expect(completions.every(({ writes }) => writes === 1)).toBe(true);
  expect(completions.map(({ attributes }) => attributes['content-id'])).toContain('003012');
});

const SPEC = {
  sandbox: { quota: QUOTA, learners: { unknownContaining: 'unknown' } },
  sources: { academy: {}, campus: {}, workshops: {} },
};

let receivedBefore: ReturnType<SandboxPlatform['completions']> = [];

const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...SPEC, root });
  configure(workspace);
  for (const source of Object.keys(SPEC.sources)) mkdirSync(join(root, 'inbox', source), { recursive: true });
  await deliverSamples(root);
  const { report } = await workspace.run();
  expect([report.exit, report.attention]).toEqual(['attention', 12]);
  receivedBefore = workspace.sandbox.platform.completions();
  return workspace;
});

/** A workspace whose one run has imported and delivered the samples: made once, and copied. */
async function deliveredDemo() {
  const workspace = await copy(SPEC);
  configure(workspace);
  return workspace;
}

function configure(workspace: TestWorkspace): void {
  writeFileSync(join(workspace.root, 'registrar.yaml'), demoConfig(workspace.sandbox.url, QUOTA));
  addLedger(workspace);
}
