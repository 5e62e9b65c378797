import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliverSamples, demoConfig } from '../../src/cli/demo-workspace.js';
import { attentionOf, corrected, savedCsv, savedWorkbook } from '../support/attention-file.js';
import { testWorkspace } from '../support/workspace.js';

const QUOTA = { requests: 70, perMs: 500 } as const;

/** What is wrong in the samples, and what somebody would write instead. */
const CORRECTIONS: Readonly<Record<string, string>> = {
  'hugo.martin@northwind': 'hugo.martin@northwind.example',
  'pavel@@northwind.example': 'pavel@northwind.example',
  'hana.sato@northwind.example; ivo.sato@northwind.example': 'hana.sato@northwind.example',
  '2025-10-26T02:30:00': '2025-10-26T02:30:00+01:00',
  '31.02.2025': '28.02.2025',
  '185': '85',
  'Waved through': 'Attended',
};

function mended(row: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, text]) => [
      column,
      column.startsWith('_') ? text : (CORRECTIONS[text] ?? text.replace('.unknown@', '.renamed@')),
    ]),
  );
}

it('the samples of the demo, corrected and dropped again, are all accepted, and nothing is left to do', async () => {
  const workspace = await testWorkspace({
    sandbox: { quota: QUOTA, learners: { unknownContaining: 'unknown' } },
    sources: { academy: {}, campus: {}, workshops: {} },
  });
  writeFileSync(join(workspace.root, 'registrar.yaml'), demoConfig(workspace.sandbox.url, QUOTA));
  // The inboxes are there once a run has looked for them.
  await workspace.run();
  await deliverSamples(workspace.root);
  const { report } = await workspace.run();
  expect([report.exit, report.attention]).toEqual(['attention', 12]);

  const [academy, campus, workshops] = [1, 2, 3].map((dropId) =>
    corrected(attentionOf(workspace, report, dropId), mended),
  );
  if (!academy || !campus || !workshops) throw new Error('there are three attention files');
  workspace.drop('academy corrected.csv', savedCsv(academy), 'academy');
  workspace.drop('campus corrected.csv', savedCsv(campus, ';'), 'campus');
  workspace.drop('workshops.attention.xlsx', await savedWorkbook(workshops), 'workshops');
  const second = await workspace.run();
  expect([second.code, second.report.dispositions]).toEqual([
    0,
    expect.objectContaining({ staged: 12, duplicate: 0, amended: 0, invalid: 0, skipped: 0 }),
  ]);

  const books = await workspace.books();
  expect(books).toMatchObject({ balanced: true, attention: 0, causes: [] });
  expect(workspace.states()).toEqual({ accepted: books.states.accepted, replaced: 5 });
  const completions = workspace.sandbox.platform.completions();
  expect(completions).toHaveLength(books.states.accepted ?? 0);
  expect(completions.every(({ writes }) => writes === 1)).toBe(true);
  expect(completions.map(({ attributes }) => attributes['content-id'])).toContain('003012');
});
