import type { QueryResult } from '../../../actions/browse/queries.js';
import { sizeWords } from '../../../config/values/file-size.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { type BegunRun, runsBegun } from '../../work/runs-begun.js';
import { sectionOf } from '../page.js';
import { begunText } from '../parts/begun-text.js';
import { formToken, hiddenFields } from '../parts/fields.js';
import { sinceText } from '../parts/when.js';

type Source = QueryResult<'inboxes'>['sources'][number];

const MAX_SHOWN = 20;

/** Uploads and files in the inboxes that are not imported yet, and the runs that were started here. Nothing where there is none. */
export async function inboxes(visit: Visit, desk: Desk): Promise<Html> {
  const found = await desk.ask('inboxes', {});
  const runs = runsBegun(desk).filter(({ of }) => !('line' in of));
  const sources = found.sources.filter(({ files, obstacle }) => files.length > 0 || obstacle !== null);
  const uploads = visit.mayAct ? await desk.ask('waitingUploads', {}) : [];
  const isEmpty = sources.length + runs.length + uploads.length === 0;
  if (isEmpty && (visit.address.query.took ?? '') === '') return html`<div id="inboxes" data-part></div>`;
  return html`<div id="inboxes" data-part>${sectionOf('inboxes-title', 'In the inboxes')`${taken(visit)}
${runs.map((run) => begunText(visit, run))}
${uploads.length === 0 ? '' : uploadList(visit, uploads)}
${sources.map((source) => inbox(visit, source, runs))}`}</div>`;
}

/** The file that the page before has put into an inbox. */
function taken({ address: { query } }: Visit): Html {
  const { took = '', source = '' } = query;
  return took === ''
    ? html``
    : html`<p class="notice good" role="status"><bdi>${took}</bdi> is in the inbox of <bdi>${source}</bdi>. The service imports it within seconds; without one, import it here.</p>`;
}

function uploadList(visit: Visit, uploads: QueryResult<'waitingUploads'>): Html {
  return html`<p><b>Uploaded, not imported:</b> each is deleted a day after its upload.</p><ul>${uploads.map(
    ({ source, id, file, bytes, at }) =>
      html`<li><a href="/files/uploads/${source}/${id}"><bdi>${file === '' ? 'A file without a name' : file}</bdi></a> <span class="note">for ${source}, ${sizeWords(bytes)}, ${sinceText(visit, at)}</span></li>`,
  )}</ul>`;
}

function inbox(visit: Visit, { source, files, obstacle }: Source, runs: readonly BegunRun[]): Html {
  const more = files.length - MAX_SHOWN;
  const isGoing = runs.some((run) => 'source' in run.of && run.of.source === source && run.outcome === null);
  return html`<section aria-label="Inbox of ${source}">
<p><b><bdi>${source}</bdi></b>: ${files.length === 0 ? 'nothing to import now' : counted(files.length, 'file')}</p>
<ul>${files
    .slice(0, MAX_SHOWN)
    .map(
      ({ file, bytes }) => html`<li><bdi>${file}</bdi> <span class="note">${sizeWords(bytes)}</span></li>`,
    )}${more > 0 ? html`<li>${counted(more, 'more file')}</li>` : ''}</ul>
${obstacle === null ? '' : html`<p class="notice open">${obstacle.message}. ${obstacle.hint}</p>`}
${visit.mayAct && !isGoing && (files.length > 0 || obstacle?.confirmable) ? runForm(visit, source, obstacle?.confirmable ?? false) : ''}
</section>`;
}

/** @param isConfirmable changed settings of the source keep its files from being imported until a person confirms them. */
function runForm(visit: Visit, source: string, isConfirmable: boolean): Html {
  const fields = isConfirmable ? { source, confirm: 'yes' } : { source };
  return html`<form method="post" action="/run">${formToken(visit)}${hiddenFields(fields)}<p class="buttons"><button>${isConfirmable ? 'Confirm the settings, import and deliver' : 'Import and deliver now'}</button></p></form>`;
}
