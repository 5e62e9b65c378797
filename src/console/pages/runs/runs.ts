import type { QueryResult } from '../../../actions/browse/queries.js';
import { environmentNamed, sourceNamed } from '../../../actions/context.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { type Html, html } from '../../../report/page/html.js';
import { chip } from '../../../report/page/words.js';
import { needsCorrectionWorkbook } from '../../../report/report.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { sentence } from '../../../report/text/sentence.js';
import { terms } from '../../../report/words/terms.js';
import { beginRun } from '../../work/begin-run.js';
import { deciderOf, type Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { choicesOf, formToken, notice } from '../parts/fields.js';
import { type Column, emptyList, filterForm, listTable, PAGE_ROWS, pager } from '../parts/list-table.js';
import { NUMBER, parseChoice, parseNumber } from '../parts/parse-params.js';
import { reportSections } from '../parts/report-sections.js';
import { elapsedText, when, whenOr } from '../parts/when.js';
import { pageNotFound } from '../problem.js';

const ENDS = [...RUN_ENDS, 'open'] as const;

export const runListPage: Page = {
  path: '/runs',
  async show(visit) {
    const { address } = visit;
    const { rows, total, next } = await visit.query('runs', {
      trigger: parseChoice(address.query.trigger, RUN_TRIGGERS),
      end: parseChoice(address.query.end, ENDS),
      after: parseNumber(address.query.after),
      limit: PAGE_ROWS,
    });
    return {
      title: 'Runs',
      section: '/runs',
      isLive: true,
      content: html`<p><a href="/report">Report of a source, a file or a period</a></p>
${sectionOf('runs-title', 'What ran')`${filterForm(address, FILTERS)}
<div id="runs" data-part>
${
  rows.length === 0
    ? emptyList(address, 'run', NO_RUNS)
    : html`<p class="note">${counted(total, 'run')}</p>
${listTable('Runs, what started them, and how they ended', rows, COLUMNS)}`
}
${pager(address, next)}
</div>`}`,
    };
  },
};

const FILTERS = [
  { name: 'trigger', label: 'Started', choices: choicesOf(RUN_TRIGGERS, (value) => terms().triggers[value]) },
  { name: 'end', label: 'Ended', choices: choicesOf(ENDS, (value) => terms().runEnds[value][1]) },
];

const COLUMNS: readonly Column<QueryResult<'runs'>['rows'][number]>[] = [
  { title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">Run ${runId}</a>` },
  { title: 'Started', cell: ({ startedAt }) => when(startedAt) },
  {
    title: 'Took',
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? html`<span class="absent">not ended</span>` : elapsedText(startedAt, endedAt),
  },
  { title: 'By', cell: ({ trigger }) => terms().triggers[trigger] },
  { title: 'Status', cell: ({ end }) => chip(...terms().runEnds[end ?? 'open']) },
  { title: 'Files', isNumber: true, cell: ({ files }) => files },
  { title: 'Rows', isNumber: true, cell: ({ rows }) => rows },
  {
    title: 'Requests',
    isNumber: true,
    cell: ({ requests, areAllCounted }) => `${areAllCounted ? '' : 'over '}${numberText(requests)}`,
  },
];

const NO_RUNS = html`No runs yet. <code>registrar run</code> imports the files in the inboxes once; <code>registrar schedule</code> imports them as they arrive.`;

export const runPage: Page = {
  path: `/runs/:run${NUMBER}`,
  async show(visit) {
    const run = await visit.query('run', { run: Number(visit.params.run) });
    if (run === null) return pageNotFound();
    return {
      title: `Run ${run.runId}`,
      section: '/runs',
      isLive: run.endedAt === null,
      content: decided(visit, run),
      rest: sections(visit, run),
    };
  },
  forms: {
    async stop(visit) {
      const run = Number(visit.params.run);
      visit.started.runs.get(run)?.stop.abort();
      return { to: `/runs/${run}` };
    },
  },
};

async function sections(visit: Visit, run: Run): Promise<Html> {
  const { runId } = run;
  const result = await visit.query('reportFacts', { selection: { runId } });
  const top = sectionOf('facts', 'Run')`${stopForm(visit, runId)}
${facts(run, result.report)}
${visit.seesPeople ? (visit.started.runs.get(runId)?.troubles ?? []).map((trouble) => notice(sentence(trouble))) : ''}
${
  visit.seesPeople
    ? html`<p class="buttons"><a class="button second-choice" href="/attention/rows?run=${runId}">Rows that need attention</a></p>
<p class="note">Files: <a href="/runs/${runId}/report.html">report to pass on</a>; with personal data: ${needsCorrectionWorkbook(result.report) ? html`<a href="/runs/${runId}/attention.xlsx">correction workbook</a>, ` : ''}<a href="/runs/${runId}/report.json">report as JSON</a>.</p>`
    : ''
}`;
  const whole = html`see <a href="/files">Files</a>`;
  return html`<div id="run" data-part>${reportSections(visit, result, { run: String(runId) }, { top, whole })}</div>`;
}

type Run = NonNullable<QueryResult<'run'>>;
type Report = QueryResult<'reportFacts'>['report'];

function decided({ address }: Visit, { trigger }: Run): Html {
  const decision = parseNumber(address.query.decision);
  return decision === null || trigger !== 'rerun'
    ? html``
    : html`<p class="notice good" role="status"><a href="/decisions/${decision}">Decision ${decision}</a> is recorded. This run delivers its rows.</p>`;
}

function stopForm(visit: Visit, runId: number): Html {
  return visit.mayAct && visit.started.runs.get(runId)?.stop.signal.aborted === false
    ? html`<form method="post" action="/runs/${runId}/stop">${formToken(visit)}<p class="buttons"><button class="second-choice">Stop</button> <small>Requests under way are finished; the other rows wait for the next run.</small></p></form>`
    : html``;
}

function facts({ startedAt, endedAt, end, adoptedBy, ...run }: Run, { files, rows, attempts }: Report): Html {
  const imported = files.filter(({ state, isTaken }) => state === 'published' && isTaken).length;
  return html`<dl class="pairs">
<dt>Status</dt><dd>${chip(...terms().runEnds[end ?? 'open'])}</dd>
<dt>Started</dt><dd>${when(startedAt)}, ${terms().triggers[run.trigger]}</dd>
<dt>Ended</dt><dd>${whenOr(endedAt, 'not ended')}${endedAt === null ? '' : html`, after ${elapsedText(startedAt, endedAt)}`}</dd>
<dt>Imported</dt><dd>${counted(imported, 'file')} with ${counted(rows, 'row')}</dd>
<dt>Sent</dt><dd>${counted(attempts.total, 'request')}</dd>
<dt>Registrar</dt><dd>${run.version}</dd>
${adoptedBy === null ? '' : html`<dt>Covered by</dt><dd><a href="/runs/${adoptedBy}">Run ${adoptedBy}</a>, whose report includes its work</dd>`}
</dl>`;
}

/** Imports the files of a source and delivers, or delivers to an environment, without waiting for the end. */
export const runForm: Page = {
  path: '/run',
  async submit(visit, fields) {
    const { config } = visit.actionContext();
    const environment = fields.one('environment');
    const sources = environment === '' ? [sourceNamed(config, fields.one('source')).name] : [];
    const confirmed = fields.one('confirm') === 'yes' ? sources : [];
    const request =
      environment === ''
        ? { sources, confirmed }
        : { environments: [environmentNamed(config, environment)], intake: false };
    const { first } = await beginRun(visit, request, deciderOf(visit));
    return { to: `/runs/${first.run}` };
  },
};
