import type { QueryResult } from '../../../actions/browse/queries.js';
import { msFromIso } from '../../../domain/clock.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { clip } from '../../../report/text/layout.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { mayStop } from '../../work/runs-begun.js';
import { type Page, sectionOf } from '../page.js';
import { formToken } from '../parts/fields.js';
import { type Column, listTable, sortedList } from '../parts/list-table.js';
import { numberIn } from '../parts/number-in.js';
import { sinceText, when, whenOr } from '../parts/when.js';
import { noSuchPage } from '../problem.js';
import { endChip, lengthText } from './run-words.js';

/** As much of a reason as a list bears; the file's own page has all of it. */
const LONGEST_REFUSAL = 300;

export const runPage: Page = {
  path: '/runs/:run',
  async show(visit, context) {
    const number = numberIn(visit.params.run);
    const run = number === null ? null : await context.query('run', { run: number });
    if (run === null) return noSuchPage();
    return {
      title: `Run ${run.runId}`,
      section: '/runs',
      isLive: run.endedAt === null,
      content: html`${decided(visit, run)}
<div id="run" data-part>
${sectionOf('facts', 'Summary')`${run.endedAt === null ? await progress(visit, context, run) : ''}
${facts(visit, run)}
<p class="buttons"><a class="button" href="/runs/${run.runId}/report">Report</a> <a class="button second-choice" href="/attention/rows?run=${run.runId}">Rows that need attention</a></p>
${
  visit.seesPeople
    ? html`<p class="note">To work with: <a href="/runs/${run.runId}/attention.xlsx">correction workbook</a>, <a href="/runs/${run.runId}/report.json">report as JSON</a>. Both hold personal data.</p>`
    : ''
}`}
${sectionOf('files', 'Files')`${files(visit, run)}`}
${sectionOf('answers', 'Requests')`${answers(run)}`}
</div>`,
    };
  },
};

type Run = NonNullable<QueryResult<'run'>>;

function decided({ address }: Visit, { trigger }: Run): Html {
  const decision = numberIn(address.query.decision);
  return decision === null || trigger !== 'rerun'
    ? html``
    : html`<p class="notice good" role="status"><a href="/decisions/${decision}">Decision ${decision}</a> is recorded. This run delivers its rows.</p>`;
}

/** How far a run that goes on has come: requests, rate, time left, and the way to end it. */
async function progress(
  visit: Visit,
  context: ConsoleContext,
  { runId, answers, startedAt }: Run,
): Promise<Html> {
  const { environments } = await context.query('overview', {});
  const own = environments.filter(({ isDelivering }) => isDelivering);
  const done = answers.reduce((sum, { outcome, count }) => sum + (outcome === 'open' ? 0 : count), 0);
  const all = done + own.reduce((sum, { estimate }) => sum + (estimate?.requests ?? 0), 0);
  const ends = own.flatMap(({ estimate }) => (estimate?.estimatedEnd == null ? [] : [estimate.estimatedEnd]));
  const seconds = Math.max(1, (visit.nowMs - msFromIso(startedAt)) / 1_000);
  const end = ends.sort().at(-1);
  const words = [
    `${numberText(done)} of ${counted(all, 'request')}`,
    ...(done === 0 ? [] : [`${(done / seconds).toFixed(1)} a second`]),
    ...(end === undefined || done === all ? [] : [`ends ${sinceText(visit, end)}`]),
  ].join(' · ');
  return html`<p class="second" role="status">${own.length === 0 ? 'Files are being imported, or the run is about to end.' : words}</p>
${own.length === 0 ? '' : html`<p><progress value="${done}" max="${Math.max(all, 1)}" aria-label="Requests">${words}</progress></p>`}
${
  visit.mayAct && mayStop(context, runId)
    ? html`<form method="post" action="/runs/${runId}/stop">${formToken(visit)}<p class="buttons"><button class="second-choice">Stop</button> <small>Requests under way are finished; the other rows wait for the next run.</small></p></form>`
    : ''
}`;
}

function facts(visit: Visit, run: Run): Html {
  const { startedAt, endedAt, end, adoptedBy } = run;
  return html`<dl class="pairs">
<dt>Status</dt><dd>${endChip(end)}</dd>
<dt>Started</dt><dd>${when(startedAt)}, ${sinceText(visit, startedAt)}, ${terms().triggers[run.trigger]}</dd>
<dt>Ended</dt><dd>${whenOr(endedAt, 'not ended')}${endedAt === null ? '' : html`, after ${lengthText(startedAt, endedAt)}`}</dd>
<dt>Imported</dt><dd>${counted(run.files, 'file')} with ${counted(run.rows, 'row')}</dd>
<dt>Sent</dt><dd>${counted(run.requests, 'request')}</dd>
<dt>Registrar</dt><dd>${run.version}</dd>
${adoptedBy === null ? '' : html`<dt>Covered by</dt><dd><a href="/runs/${adoptedBy}">Run ${adoptedBy}</a>, whose report includes its work</dd>`}
</dl>`;
}

type Drop = Run['drops'][number];

const DROP_COLUMNS: readonly Column<Drop>[] = [
  {
    key: 'file',
    by: ({ file }) => file,
    title: 'File',
    cell: ({ dropId, file }) => html`<a href="/files/${dropId}"><bdi>${file}</bdi></a>`,
  },
  { key: 'source', title: 'Source', cell: ({ source }) => source },
  {
    title: 'Result',
    cell: ({ state, refusal }) => {
      if (state === 'published') return html`<span class="chip good">imported</span>`;
      if (state === 'staging') return html`<span class="chip calm">importing</span>`;
      return html`<span class="chip bad">refused</span> ${clip(refusal ?? '', LONGEST_REFUSAL)}`;
    },
  },
  {
    key: 'rows',
    title: 'Rows',
    isNumber: true,
    cell: ({ rows }) => rows ?? html`<span class="absent">none</span>`,
  },
  { key: 'invalid', title: 'Invalid', isNumber: true, cell: ({ invalid }) => invalid },
];

function files({ address }: Visit, { drops, files }: Run): Html {
  if (drops.length === 0) return html`<p class="empty">No files imported.</p>`;
  return html`${sortedList('Files imported by the run', drops, DROP_COLUMNS, address)}
${files > drops.length ? html`<p class="note">${counted(files - drops.length, 'more file')}: see <a href="/files">Files</a>.</p>` : ''}`;
}

const ANSWER_COLUMNS: readonly Column<Run['answers'][number]>[] = [
  { title: 'Environment', cell: ({ environment }) => environment },
  { title: 'Answer', cell: ({ outcome }) => terms().answers[outcome] },
  { title: 'Requests', isNumber: true, cell: ({ count }) => count },
];

function answers({ answers: rows, requests }: Run): Html {
  if (rows.length === 0) return html`<p class="empty">No requests sent.</p>`;
  // The order is the ledger's: environments, and in each the commonest answer first.
  const listed = rows.reduce((sum, { count }) => sum + count, 0);
  return html`${listTable('Requests of the run by their first answer', rows, ANSWER_COLUMNS)}
${listed < requests ? html`<p class="note">The latest ${numberText(listed)} of its ${counted(requests, 'request')}: counting all by their answers takes too long.</p>` : ''}`;
}
