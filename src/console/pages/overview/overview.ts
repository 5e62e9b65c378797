import { inWords } from '../../../domain/text/duration-words.js';
import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import { needsHtml } from '../../../report/page/needs.js';
import { sums } from '../../../report/page/sums.js';
import { timeline } from '../../../report/page/timeline.js';
import { chip } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { livePart, type Page } from '../page.js';
import { formToken, hiddenFields } from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { isOpen, rowsHref } from '../parts/report-sections.js';
import { when } from '../parts/when.js';
import { newSourceForm } from '../settings/new-source.js';
import { type Overview, overviewVerdict } from './overview-verdict.js';

/** The overview: whether the books balance, waiting rows and their estimate, what needs attention, what happened last. */
export const overviewPage: Page = {
  path: '/',
  async show(visit, context) {
    return { title: 'Overview', section: '/', isLive: true, content: html``, rest: sections(visit, context) };
  },
};

async function sections(visit: Visit, context: ConsoleContext): Promise<Html> {
  const found = await context.query('overview', {});
  return html`${overviewVerdict(found)}${found.verdict === 'nothing' && visit.mayAct ? newSourceForm(visit, context) : ''}
${livePart('rows', 'Where every row went')`${sums(found.sums, { rows: (state) => (isOpen(state) ? rowsHref(visit, { states: state }) : null) })}`}
<div class="board"><div>
${livePart('needs', 'Needs attention')`${needs(visit, found)}`}
${livePart('waiting', 'Queue')`${listTable('Waiting rows by environment', found.environments, columnsFor(visit))}`}
</div><div>
${livePart('runs', html`Last runs <a href="/runs">All runs</a>`)`${lastRuns(found)}`}
${livePart('deliveries', 'Requests of the last 24 hours')`${found.timeline === null ? html`<p class="empty">No requests in the last 24 hours.</p>` : timeline(found.timeline)}`}
</div></div>`;
}

type Run = Overview['runs'][number];

/** As many as the screen of a busy day has room for. */
const MAX_RUNS = 4;

function lastRuns({ runs }: Overview): Html {
  if (runs.length === 0)
    return html`<p class="empty">No runs yet. Start the service, or run <code>registrar run</code>.</p>`;
  const columns: readonly Column<Run>[] = [
    { title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">${runId}</a>` },
    {
      title: 'Started',
      cell: ({ startedAt, trigger }) => html`${when(startedAt)} <small>${terms().triggers[trigger]}</small>`,
    },
    { title: 'Result', isShort: true, cell: ({ end }) => chip(...terms().runEnds[end ?? 'open']) },
  ];
  return listTable('The latest runs', runs.slice(0, MAX_RUNS), columns);
}

/** What needs attention: findings of health, causes, refused files, unmatched files, and alerts. */
function needs(visit: Visit, { attention, unmatched, health, alerts }: Overview): Html {
  const { causes, refusedFiles } = attention;
  // Files that need attention are listed one by one.
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
  return needsHtml(list, targets, alerts.open === 0 ? [] : [open]);
}

type Environment = Overview['environments'][number];

function columnsFor(visit: Visit): readonly Column<Environment>[] {
  return [
    { title: 'Environment', cell: ({ environment }) => environment },
    { title: 'Rows', isNumber: true, cell: ({ estimate }) => estimate.rows },
    { title: 'Requests', isNumber: true, cell: ({ estimate }) => estimate.requests },
    { title: 'Estimated end', cell: ({ estimate }) => endOf(estimate) },
    {
      title: 'Quota in use',
      cell: ({ quota: { permits }, estimate: { quota } }) =>
        html`${numberText(permits)} of ${numberText(quota.requests)} in ${inWords(quota.perMs)} ${meter(permits, quota.requests)}`,
    },
    { title: 'Now', cell: (environment) => stateOf(visit, environment) },
  ];
}

function endOf({ rows, estimatedEnd }: Environment['estimate']): HtmlValue {
  if (rows === 0) return html`<span class="absent">nothing waiting</span>`;
  return estimatedEnd === null ? html`<span class="absent">unknown</span>` : when(estimatedEnd);
}

function meter(taken: number, allowed: number): Html {
  const share = Math.min(100, Math.round((taken / allowed) * 100));
  return html`<svg class="bar ink" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="1"/></svg>`;
}

function stateOf(visit: Visit, { environment, isDown, pushedBy, quota }: Environment): Html {
  if (isDown)
    return html`<span class="chip bad">unavailable</span>${visit.mayAct && pushedBy === null ? html`<form method="post" action="/run">${formToken(visit)}${hiddenFields({ environment })}<p class="buttons"><button class="second-choice" aria-label="Try ${environment} now">Try now</button></p></form>` : ''}`;
  if (quota.pausedForMs > 0) return chip('open', 'paused');
  return pushedBy === null ? chip('calm', 'idle') : chip('good', 'delivering');
}
