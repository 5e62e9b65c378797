import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import { type Column, listTable } from '../parts/list-table.js';
import { when, whenOr } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

type Run = Overview['runs'][number];

/** The runs that ended last, and where all of them are. */
export function lastRuns(visit: Visit, { runs }: Overview): Html {
  if (runs.length === 0)
    return html`<p class="empty">There was no run yet. The first begins with <code>registrar run</code>, or with the service.</p>`;
  const columns: readonly Column<Run>[] = [
    { key: 'run', title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">${runId}</a>` },
    { key: 'begun', title: 'Begun', cell: ({ startedAt }) => when(visit, startedAt) },
    { key: 'ended', title: 'Ended', cell: ({ endedAt }) => whenOr(visit, endedAt, 'goes on') },
    { key: 'trigger', title: 'Started', cell: ({ trigger }) => TRIGGERS[trigger] },
    {
      key: 'end',
      title: 'How it ended',
      cell: ({ end }) => end ?? html`<span class="absent">not yet</span>`,
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

const TRIGGERS: Readonly<Record<Run['trigger'], string>> = {
  cron: 'by schedule',
  manual: 'by hand',
  rerun: 'again by hand',
};
