import { csvOf, exportRows } from '../support/exports.js';
import type { TestWorkspace } from '../support/workspace.js';
import { writeZip } from '../support/write-zip.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

export const ZIP = writeZip([
  { name: 'out/march.csv', content: csv(3) },
  { name: 'out/april.csv', content: csv(2, 3) },
  { name: 'readme.md', content: 'not for us' },
]);

export const drops = ({ query }: TestWorkspace) =>
  query<{ file: string; state: string }>('select file_name as file, state from drop_file order by drop_id');
