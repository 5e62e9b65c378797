import type { QueryResult } from '../../../actions/browse/queries.js';
import { sizeWords } from '../../../config/values/file-size.js';
import { FILE_STANDINGS } from '../../../domain/files/file-standing.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { STATES } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { chip, countsHtml } from '../../../report/page/words.js';
import { type Counts, countsOf } from '../../../report/sections/section.js';
import { counted } from '../../../report/text/counted.js';
import { clip } from '../../../report/text/layout.js';
import { sentence } from '../../../report/text/sentence.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { choiceField, choicesOf, formToken, hiddenFields } from '../parts/fields.js';
import { type Column, emptyList, filterForm, listTable, PAGE_ROWS, pager } from '../parts/list-table.js';
import { parseChoice, parseNumber } from '../parts/parse-params.js';
import { isOpen, rowsHref } from '../parts/report-sections.js';
import { dropLink } from '../parts/row-link.js';
import { when } from '../parts/when.js';

type ShownFile = QueryResult<'files'>['files'][number];

/** As much of a reason as a list bears; the file's own page has all of it. */
const MAX_REFUSAL_CHARS = 100;

export const fileListPage: Page = {
  path: '/files',
  async show(visit) {
    const { address } = visit;
    const { query } = address;
    const { files, total, next } = await visit.query('files', {
      source: query.source?.trim() || null,
      name: visit.seesPeople ? query.name?.trim() || null : null,
      standing: parseChoice(query.state, FILE_STANDINGS),
      after: parseNumber(query.after),
      limit: PAGE_ROWS,
    });
    return {
      title: 'Files',
      section: '/files',
      isLive: true,
      content: html`${dropForm(visit)}
${await inboxes(visit)}
${sectionOf('came-in', 'Received')`${filterForm(address, filtersOf(visit))}
<div id="files" data-part>
<p class="note">${counted(total, 'file')}</p>
${files.length === 0 ? emptyList(address, 'file', html`No files yet. Put one into the inbox of a source, or upload one here.`) : listTable('Received files, with the state of their rows', files, columnsFor(visit))}
${pager(address, next)}
</div>`}`,
    };
  },
};

function columnsFor(visit: Visit): readonly Column<ShownFile>[] {
  return [
    {
      title: 'File',
      cell: ({ drop, file, standing }) =>
        html`${dropLink(drop, file)} ${standing === 'imported' ? '' : chip(...terms().standings[standing])}`,
    },
    { title: 'Source', cell: ({ source }) => html`<bdi>${source}</bdi>` },
    { title: 'Received', cell: ({ importedAt }) => when(importedAt) },
    { title: 'Rows', isNumber: true, cell: ({ rows }) => rows ?? html`<span class="absent">none</span>` },
    {
      title: 'Result',
      cell: (one) =>
        one.refusal === null
          ? linked(visit, one.file, countsOf('dispositions', DISPOSITIONS, one.dispositions))
          : html`<span class="refusal">${clip(sentence(one.refusal), MAX_REFUSAL_CHARS)} ${closureWords(visit, one)}</span>`,
    },
    {
      title: 'Submissions',
      cell: ({ file, states }) => linked(visit, file, countsOf('states', STATES, states)),
    },
  ];
}

/** Counts of a file's rows; what may need attention leads to its rows. */
function linked(visit: Visit, file: string, counts: Counts): Html {
  return countsHtml(counts, (states) => (isOpen(states) ? rowsHref(visit, { file, states }) : null));
}

/** How a refused file was closed; null while it is open. */
export function closureWords({ seesPeople }: Visit, { closure }: Pick<ShownFile, 'closure'>): Html | null {
  if (closure === null) return null;
  if (closure.kind === 'came-in')
    return html`Its rows were imported later, with <a href="/files/${closure.drop}">drop ${closure.drop}</a>.`;
  if (!seesPeople) return html`Dismissed.`;
  const because = closure.because === null ? '' : html`: ${closure.because}`;
  return html`Dismissed by <bdi>${closure.who}</bdi>, decision ${closure.decision}${because}.`;
}

function filtersOf(visit: Visit) {
  const { sources } = visit.actionContext().config;
  return [
    ...(visit.seesPeople ? [{ name: 'name', label: 'Name' }] : []),
    { name: 'source', label: 'Source', choices: choicesOf(sources.map(({ name }) => name)) },
    { name: 'state', label: 'State', choices: choicesOf(FILE_STANDINGS, (one) => terms().standings[one][1]) },
  ];
}

/** Where operators drop a file; nothing for the others. The token comes first: without it no byte of the file is kept. */
function dropForm(visit: Visit): Html {
  if (!visit.mayAct) return html``;
  const { sources, console } = visit.actionContext().config;
  const chosen = sources.find(({ name }) => name === visit.address.query.source) ?? sources[0];
  return sectionOf('drop-title', 'Drop a file')`
<form class="drop" method="post" action="/files/upload" enctype="multipart/form-data" data-drop data-largest="${console.largestUploadBytes}">${formToken(visit)}
${choiceField({ name: 'source', label: 'Source', value: chosen?.name ?? '' }, choicesOf(sources.map(({ name }) => name)))}
<p class="field"><label for="drop-file">File</label>
<input id="drop-file" name="file" type="file" required aria-describedby="drop-note"></p>
<p class="buttons"><button>Preview</button></p>
<p class="note" id="drop-note">Or drag it here. Up to ${sizeWords(console.largestUploadBytes)}. You see a preview before anything is imported.</p>
<p class="note" role="status" data-progress></p>
</form>`;
}

type Source = QueryResult<'inboxes'>['sources'][number];

const MAX_SHOWN = 20;

/** Uploads and files in the inboxes that are not imported yet. Nothing where there is none. */
async function inboxes(visit: Visit): Promise<Html> {
  const result = await visit.query('inboxes', {});
  const sources = result.sources.filter(({ files, obstacle }) => files.length > 0 || obstacle !== null);
  const uploads = visit.mayAct ? await visit.query('waitingUploads', {}) : [];
  const isEmpty = sources.length + uploads.length === 0;
  if (isEmpty && (visit.address.query.took ?? '') === '') return html`<div id="inboxes" data-part></div>`;
  return html`<div id="inboxes" data-part>${sectionOf('inboxes-title', 'In the inboxes')`${taken(visit)}
${uploads.length === 0 ? '' : uploadList(uploads)}
${sources.map((source) => inbox(visit, source))}`}</div>`;
}

function taken({ address: { query } }: Visit): Html {
  const { took = '', source = '' } = query;
  return took === ''
    ? html``
    : html`<p class="notice good" role="status"><bdi>${took}</bdi> is in the inbox of <bdi>${source}</bdi>. The service imports it within seconds; without one, import it here.</p>`;
}

function uploadList(uploads: QueryResult<'waitingUploads'>): Html {
  return html`<p><b>Uploaded, not imported:</b> each is deleted a day after its upload.</p><ul>${uploads.map(
    ({ source, id, file, bytes, at }) =>
      html`<li><a href="/files/uploads/${source}/${id}"><bdi>${file === '' ? 'A file without a name' : file}</bdi></a> <span class="note">for ${source}, ${sizeWords(bytes)}, ${when(at)}</span></li>`,
  )}</ul>`;
}

function inbox(visit: Visit, { source, files, obstacle }: Source): Html {
  const shown = files.slice(0, MAX_SHOWN);
  const more = files.length - shown.length;
  return html`<section aria-label="Inbox of ${source}">
<p><b><bdi>${source}</bdi></b>: ${files.length === 0 ? 'nothing to import now' : counted(files.length, 'file')}</p>
<ul>${shown.map(
    ({ file, bytes }) => html`<li><bdi>${file}</bdi> <span class="note">${sizeWords(bytes)}</span></li>`,
  )}${more > 0 ? html`<li>${counted(more, 'more file')}</li>` : ''}</ul>
${obstacle === null ? '' : html`<p class="notice open">${obstacle.message}. ${obstacle.hint}</p>`}
${visit.mayAct && (files.length > 0 || obstacle?.confirmable) ? runForm(visit, source, obstacle?.confirmable ?? false) : ''}
</section>`;
}

/** @param isConfirmable changed settings keep its files from being imported until a person confirms them. */
function runForm(visit: Visit, source: string, isConfirmable: boolean): Html {
  const fields = isConfirmable ? { source, confirm: 'yes' } : { source };
  return html`<form method="post" action="/run">${formToken(visit)}${hiddenFields(fields)}<p class="buttons"><button>${isConfirmable ? 'Confirm the settings, import and deliver' : 'Import and deliver now'}</button></p></form>`;
}
