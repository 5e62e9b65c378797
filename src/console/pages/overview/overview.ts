import { type Html, html } from '../../../report/page/html.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../visits/visit.js';
import { livePart, type Page } from '../page.js';
import { type Column, listTable } from '../parts/list-table.js';
import { when, whenOr } from '../parts/when.js';
import { newSourceForm } from '../settings/new-source.js';
import { deliveries } from './deliveries.js';
import { needs } from './needs.js';
import { type Overview, overviewVerdict } from './overview-verdict.js';
import { waiting } from './waiting.js';

/** The overview: whether the books balance, waiting rows and their estimate, what needs attention, what happened last. */
export const overviewPage: Page = {
  path: '/',
  async show(visit, desk) {
    const found = await desk.ask('overview', {});
    return {
      title: 'Overview',
      section: '/',
      isLive: true,
      content: html`${overviewVerdict(visit, found)}${found.verdict === 'nothing' && visit.mayAct ? newSourceForm(visit, desk) : ''}
${livePart('needs', 'Needs attention')`${needs(visit, found)}`}
${livePart('waiting', 'Queue')`${waiting(visit, found)}`}
${livePart('deliveries', 'Deliveries over time')`${deliveries(visit, found)}`}
${livePart('runs', 'Last runs')`${lastRuns(visit, found)}`}`,
    };
  },
};

type Run = Overview['runs'][number];

/** The runs that ended last, and where all of them are. */
function lastRuns(visit: Visit, { runs }: Overview): Html {
  if (runs.length === 0)
    return html`<p class="empty">No runs yet. Start the service, or run <code>registrar run</code>.</p>`;
  const columns: readonly Column<Run>[] = [
    { title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">${runId}</a>` },
    { title: 'Begun', cell: ({ startedAt }) => when(visit, startedAt) },
    { title: 'Ended', cell: ({ endedAt }) => whenOr(visit, endedAt, 'running') },
    { title: 'Started', cell: ({ trigger }) => terms().triggers[trigger] },
    { title: 'Result', cell: ({ end }) => end ?? html`<span class="absent">–</span>` },
  ];
  return html`${listTable('The latest runs', runs, columns)}
<p class="note"><a href="/runs">All runs</a></p>`;
}
