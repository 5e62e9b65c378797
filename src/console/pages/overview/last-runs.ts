import { type Html, html } from '../../../report/page/html.js';
import { terms } from '../../../report/words/terms.js';
import type { Visit } from '../../visits/visit.js';
import { type Column, listTable } from '../parts/list-table.js';
import { when, whenOr } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

type Run = Overview['runs'][number];

/** The runs that ended last, and where all of them are. */
export function lastRuns(visit: Visit, { runs }: Overview): Html {
  if (runs.length === 0)
    return html`<p class="empty">No runs yet. Start the service, or run <code>registrar run</code>.</p>`;
  const columns: readonly Column<Run>[] = [
    { key: 'run', title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">${runId}</a>` },
    { key: 'begun', title: 'Begun', cell: ({ startedAt }) => when(visit, startedAt) },
    { key: 'ended', title: 'Ended', cell: ({ endedAt }) => whenOr(visit, endedAt, 'running') },
    { key: 'trigger', title: 'Started', cell: ({ trigger }) => terms().triggers[trigger] },
    {
      key: 'end',
      title: 'Result',
      cell: ({ end }) => end ?? html`<span class="absent">–</span>`,
    },
  ];
  return html`${listTable('The latest runs', {
    rows: runs,
    columns,
    address: visit.address,
    order: { key: 'run', isDescending: true },
  })}
<p class="note"><a href="/runs">All runs</a></p>`;
}
