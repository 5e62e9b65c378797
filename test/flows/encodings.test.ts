import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeAs } from '../support/encode-as.js';
import { csvOf, exportRow } from '../support/exports.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** An export whose rows are about these courses. */
function exportOf(...courses: string[]): string {
  return csvOf(courses.map((course, n) => exportRow(n, { course })));
}

function declare(workspace: TestWorkspace, encoding: string | undefined): void {
  const path = join(workspace.root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  config.sources[0].encoding = encoding;
  writeFileSync(path, JSON.stringify(config));
}

it('damaged UTF-8 or an unknown encoding is refused, and read once it is declared', async () => {
  const workspace = await testWorkspace();
  const polish = encodeAs('windows-1250', exportOf('Szkoła-1', 'Żywność-2', 'Księgowość-3'));
  const cut = Buffer.from(exportOf('Führung-1', 'Prüfung-2', 'Übung-3'));
  workspace.drop('polish.csv', polish);
  workspace.drop('damaged.csv', Buffer.from(cut.map((byte, at) => (at === cut.indexOf(0xc3) ? 0x20 : byte))));
  workspace.drop('cut.csv', cut.subarray(0, cut.lastIndexOf(0xc3) + 1));
  const { code, report } = await workspace.run();
  expect({ code, dispositions: report.dispositions }).toMatchObject({ code: 1, dispositions: { staged: 0 } });
  const refusals = Object.fromEntries(report.files.map(({ file, refusal }) => [file, refusal]));
  expect(refusals['polish.csv']).toMatch(/encoding is unknown.*encoding: windows-1250/);
  expect(refusals['damaged.csv']).toMatch(
    /UTF-8 with damage: line 2, column \d+ .*2 characters .* are valid/,
  );
  expect(refusals['cut.csv']).toMatch(/UTF-8 with damage: line 4/);

  declare(workspace, 'windows-1250');
  workspace.drop('polish.csv', polish);
  expect(await workspace.run()).toMatchObject({ code: 0, report: { dispositions: { staged: 3 } } });
  expect(workspace.query("select count(*) as n from submission_record where content = 'Szkoła-1'")).toEqual([
    { n: 1 },
  ]);
});

it('an encoding declared after files fell back to Windows-1252 stops the source until it is confirmed', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', encodeAs('windows-1252', exportOf('Führung-1', 'Prüfung-2')));
  expect((await workspace.run()).code).toBe(0);

  declare(workspace, 'iso-8859-2');
  workspace.drop('c.csv', exportOf('Führung-1'));
  const stopped = await workspace.run();
  expect(stopped.code).toBe(2);
  expect(stopped.stderr).toContain('encoding was "windows-1252" and is "iso-8859-2"');
  expect(stopped.stderr).toContain('of 2 rows staged so far');

  declare(workspace, undefined);
  const utf8 = await workspace.run();
  expect(utf8).toMatchObject({ code: 0, report: { dispositions: { duplicate: 1 } } });
});
