import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'vitest';
import { DEMO_ENV } from '../../src/actions/demo/demo.js';
import { makeLedger } from './empty-ledger.js';
import { cells, document, table } from './markdown.js';
import { printed } from './printed.js';
import { configureShow, dropSamples, type SampleShow } from './sample-shows.js';
import { tempFolder } from './temp-folder.js';

/** Imports the samples of a show, and fails unless their lines end as data/README.md says. */
export async function expectLinesAsDocumented(show: SampleShow): Promise<void> {
  const root = tempFolder();
  configureShow(root, 'http://127.0.0.1:9', show);
  for (const { source } of show.rounds.flat()) mkdirSync(join(root, 'inbox', source), { recursive: true });
  makeLedger(root);
  for (const samples of show.rounds) {
    dropSamples(root, samples);
    await printed(['run', '--no-push'], root, { env: DEMO_ENV });
  }
  const ledger = new BetterSqlite3(join(root, 'registrar.db'), { readonly: true });
  const rows = ledger
    .prepare('select file_name, line, disposition from row join drop_file using (drop_id)')
    .raw()
    .all() as [string, number, string][];
  ledger.close();

  const page = document('data/README.md');
  for (const { file } of show.rounds.flat()) {
    const described = cells(table(page, file)).flatMap(([lines = '', , fate = '']) =>
      lines.split(', ').map((line) => [file, Number(line), dispositionIn(fate)]),
    );
    expect(described.filter(([, , disposition]) => disposition !== null)).not.toHaveLength(0);
    for (const [, line, disposition] of described) {
      const found = rows.find(([name, at]) => name === file && at === line)?.[2] ?? null;
      expect([file, line, found]).toEqual([file, line, disposition]);
    }
  }
}

/** The disposition that a cell of data/README.md names; null: the line is no row. */
function dispositionIn(fate: string): string | null {
  if (fate.includes('not a row')) return null;
  return /^`?(duplicate|amended|skipped|invalid|non-data)\b/.exec(fate)?.[1] ?? 'staged';
}
