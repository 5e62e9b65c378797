import type { QueryResult } from '../../../actions/browse/queries.js';
import { causes } from '../../../report/page/causes.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import type { Visit } from '../../work/visit.js';
import { livePart, type Page } from '../page.js';
import { type Column, listTable } from '../parts/list-table.js';
import { linksTo } from '../parts/report-sections.js';
import { dropLink } from '../parts/row-link.js';
import { when } from '../parts/when.js';
import { remedyLink } from './remedy-link.js';

type Cause = QueryResult<'causes'>['causes'][number];
type RefusedFile = QueryResult<'causes'>['refusedFiles'][number];

export const attentionPage: Page = {
  path: '/attention',
  async show(visit) {
    const { causes: found, refusedFiles } = await visit.query('causes', {});
    return {
      title: 'Needs attention',
      section: '/attention',
      isLive: true,
      content: html`${livePart('causes', 'Rows by cause')`${found.length === 0 ? html`<p class="empty">No rows need attention. <a href="/files">Files</a> shows the state of every row.</p>` : causeCards(visit, found)}`}
${refusedFiles.length === 0 ? '' : refusedFilesTable(visit, refusedFiles)}`,
    };
  },
};

function causeCards(visit: Visit, found: readonly Cause[]): Html {
  const all = html`<a href="/attention/rows">All rows that need attention</a>`;
  const report = { selection: {}, unknownLearners: { learners: 0, rows: 0 } };
  const beside = { attentionFile: null, guideFile: null, otherFiles: [] };
  return html`${causes({ causes: found, report, links: linksTo(visit, {}, all), ...beside })}
${visit.seesPeople ? html`<p class="buttons">${all}</p>` : ''}`;
}

function refusedFilesTable({ mayAct }: Visit, refusedFiles: readonly RefusedFile[]): Html {
  const remedies: Column<RefusedFile> = {
    title: 'What to do',
    isShort: true,
    cell: (file) => remedyLink(file.remedy),
  };
  return livePart('refused', counted(refusedFiles.length, 'refused file'))`
<p class="second">None of their rows were imported. Fix the file and drop it again.</p>
${listTable('Refused files, latest first', refusedFiles, mayAct ? [...REFUSED, remedies] : REFUSED)}`;
}

const REFUSED: readonly Column<RefusedFile>[] = [
  { title: 'File', cell: ({ drop, file }) => dropLink(drop, file) },
  { title: 'Source', isShort: true, cell: ({ source }) => html`<bdi>${source}</bdi>` },
  { title: 'When', cell: ({ importedAt }) => when(importedAt) },
  { title: 'Why', cell: ({ refusal }) => html`<span class="refusal">${refusal}</span>` },
];
