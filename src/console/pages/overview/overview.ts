import type { QueryResult } from '../../../actions/browse/queries.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { inWords } from '../../../domain/text/duration-words.js';
import { attentionListHtml } from '../../../report/page/attention-list.js';
import { type Html, html, joined } from '../../../report/page/html.js';
import { verdictHtml } from '../../../report/page/section-html.js';
import { sums } from '../../../report/page/sums.js';
import { timeline } from '../../../report/page/timeline.js';
import { chip } from '../../../report/page/words.js';
import { plainText } from '../../../report/sections/section.js';
import { needing, UNBALANCED } from '../../../report/sections/verdict.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../work/visit.js';
import { livePart, type Page } from '../page.js';
import { formToken, hiddenFields } from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { isOpen, rowsHref } from '../parts/report-sections.js';
import { when, whenOr } from '../parts/when.js';
import { newSourceForm } from '../settings/new-source.js';

type Overview = QueryResult<'overview'>;

export const overviewPage: Page = {
  path: '/',
  async show(visit) {
    return { title: 'Overview', section: '/', isLive: true, content: html``, rest: sections(visit) };
  },
};

async function sections(visit: Visit): Promise<Html> {
  const overview = await visit.query('overview', {});
  return html`${overviewVerdict(overview)}${overview.verdict === 'nothing' && visit.mayAct ? newSourceForm(visit) : ''}
${livePart('rows', 'Where every row went')`${sums(overview.sums, { rows: (state) => (isOpen(state) ? rowsHref(visit, { states: state }) : null) })}`}
<div class="board"><div>
${livePart('needs', 'Needs attention')`${needs(visit, overview)}`}
${livePart('waiting', 'Queue')`${listTable('Waiting rows by environment', overview.environments, columnsFor(visit))}`}
</div><div>
${livePart('runs', html`Last runs <a href="/runs">All runs</a>`)`${lastRuns(overview)}`}
${livePart('deliveries', 'Requests in the last 24 hours')`${overview.timeline === null ? html`<p class="empty">No requests in the last 24 hours.</p>` : timeline(overview.timeline)}`}
</div></div>`;
}

function overviewVerdict(overview: Overview): Html {
  const { verdict, at } = overview;
  const content = html`<p class="headline">${headline(overview)}</p>
<p class="second">${verdict === 'nothing' ? html`Put a CSV or XLSX file into an inbox, or <a href="/files">upload one</a>.` : verdict === 'unbalanced' ? html`The books don’t balance${unbalanced(overview)}.` : 'The books balance: every row read is accounted for.'} ${work(overview)} <small>Read ${when(at)}. <a href="/report">Full check</a></small></p>`;
  return verdictHtml(verdict, content);
}

function headline({ verdict, attention, unmatched, environments, health: { findings } }: Overview): string {
  const rows = environments.reduce((sum, { estimate }) => sum + estimate.rows, 0);
  const wait = rows === 0 ? '' : ` · ${numberText(rows)} waiting`;
  switch (verdict) {
    case 'unbalanced':
      return UNBALANCED;
    case 'failed':
      return firstOf(findings.filter(({ state }) => state === 'failed'));
    case 'attention':
      if (attention.rows + attention.files > 0) return `${plainText(needing(attention))}${wait}`;
      return findings.length > 0
        ? firstOf(findings)
        : `${counted(unmatched.length, 'file')} not imported${wait}`;
    case 'waiting':
      return `${counted(rows, 'row')} waiting. Nothing needs attention.`;
    case 'nothing':
      return 'No files yet.';
    case 'well':
      return 'All rows were delivered. Nothing needs attention.';
  }
}

function firstOf([first, ...others]: Overview['health']['findings']): string {
  const more = others.length === 0 ? '' : ` And ${numberText(others.length)} more.`;
  return `${first?.message ?? ''}${more}`;
}

function unbalanced({ unbalancedDrops }: Overview): Html {
  if (unbalancedDrops.length === 0) return html``;
  return html` in ${joined(unbalancedDrops.map(({ dropId, file }) => html`<a href="/files/${dropId}"><bdi>${file}</bdi></a>`))}`;
}

function work({ work: { isImporting, openDecisions, isRestoring }, environments }: Overview): Html {
  const delivering = environments.flatMap((one) => (one.pushedBy === null ? [] : one.environment));
  return html`${isImporting ? 'A file is being imported. ' : ''}${
    delivering.length === 0 ? '' : `Rows are being delivered to ${delivering.join(', ')}. `
  }${
    openDecisions === 0
      ? ''
      : `${counted(openDecisions, 'decision')} ${agreeing(openDecisions, 'is', 'are')} not finished. `
  }${isRestoring ? 'A backup was restored: finish the restore.' : ''}`;
}

/** As many as the screen of a busy day has room for. */
const MAX_RUNS = 4;

function lastRuns({ runs }: Overview): Html {
  if (runs.length === 0)
    return html`<p class="empty">No runs yet. Start the service, or run <code>registrar run</code>.</p>`;
  const items = runs
    .slice(0, MAX_RUNS)
    .map(
      ({ runId, startedAt, trigger, end }) =>
        html`<li><a href="/runs/${runId}">Run ${runId}</a> ${chip(...terms().runEnds[end ?? 'open'])} <small>${when(startedAt)}, ${terms().triggers[trigger]}</small></li>`,
    );
  return html`<ul>${items}</ul>`;
}

function needs(visit: Visit, { attention, unmatched, health, alerts }: Overview): Html {
  const { causes, refusedFiles } = attention;
  const problems = health.findings
    .filter(({ code }) => code !== 'file-unmatched' && code !== 'file-refused')
    .map((finding) => ({ ...finding, isFailed: finding.state === 'failed' }));
  const muted = alerts.muted === 0 ? '' : `, ${numberText(alerts.muted)} muted`;
  const open = html`<li class="calm"><a href="/alerts">${counted(alerts.open, 'open alert')}</a>${muted}</li>`;
  const targets = {
    cause: (index: number) => rowsHref(visit, { cause: causes[index]?.code ?? '' }),
    causes: '/attention',
    refused: '/attention',
  };
  const list = { problems, causes, refused: refusedFiles.length, unmatched };
  if (problems.length + causes.length + refusedFiles.length + unmatched.length + alerts.open === 0)
    return html`<p class="empty">All clear. <a href="/files">Upload a file</a>, or put one into an inbox.</p>`;
  return attentionListHtml(list, targets, alerts.open === 0 ? [] : [open]);
}

type Environment = Overview['environments'][number];

function columnsFor(visit: Visit): readonly Column<Environment>[] {
  return [
    { title: 'Environment', cell: ({ environment }) => environment },
    { title: 'Rows', isNumber: true, cell: ({ estimate }) => estimate.rows },
    { title: 'Requests', isNumber: true, cell: ({ estimate }) => estimate.requests },
    {
      title: 'Estimated end',
      cell: ({ estimate: { rows, estimatedEnd } }) =>
        whenOr(rows === 0 ? null : estimatedEnd, rows === 0 ? 'nothing waiting' : 'unknown'),
    },
    {
      title: 'Quota in use',
      cell: ({ quota: { permits }, estimate: { quota } }) =>
        `${numberText(permits)} of ${numberText(quota.requests)} in ${inWords(quota.perMs)}`,
    },
    { title: 'Now', cell: (environment) => stateOf(visit, environment) },
  ];
}

function stateOf(visit: Visit, { environment, isDown, pushedBy, quota }: Environment): Html {
  if (isDown)
    return html`<span class="chip bad">unavailable</span>${visit.mayAct && pushedBy === null ? html`<form method="post" action="/run">${formToken(visit)}${hiddenFields({ environment })}<p class="buttons"><button class="second-choice" aria-label="Try ${environment} now">Try now</button></p></form>` : ''}`;
  if (quota.pausedForMs > 0) return chip('open', 'paused');
  return pushedBy === null ? chip('calm', 'idle') : chip('good', 'delivering');
}
