import type { QueryResult } from '../../../actions/browse/queries.js';
import { RUN_ENDS, RUN_TRIGGERS } from '../../../domain/process/run.js';
import { html } from '../../../report/page/html.js';
import { chip } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import { type Page, sectionOf } from '../page.js';
import { choicesOf } from '../parts/fields.js';
import { type Column, emptyList, filterForm, listTable, pager } from '../parts/list-table.js';
import { choiceIn, numberIn } from '../parts/number-in.js';
import { lengthText, when } from '../parts/when.js';

const PAGE_ROWS = 50;

const ENDS = [...RUN_ENDS, 'open'] as const;

export const runListPage: Page = {
  path: '/runs',
  async show(visit, context) {
    const { address } = visit;
    const { rows, total, next } = await context.query('runs', {
      trigger: choiceIn(address.query.trigger, RUN_TRIGGERS),
      end: choiceIn(address.query.end, ENDS),
      after: numberIn(address.query.after),
      most: PAGE_ROWS,
    });
    return {
      title: 'Runs',
      section: '/runs',
      isLive: true,
      content: html`<p><a href="/report">Report of a source, a file or a span of time</a></p>
${sectionOf('runs-title', 'What ran')`${filterForm(address, FILTERS)}
<div id="runs" data-part>
${
  rows.length === 0
    ? emptyList(address, ['trigger', 'end', 'after'], 'run', NO_RUNS)
    : html`<p class="note">${counted(total, 'run')}</p>
${listTable('Runs, what started them, and how they ended', rows, COLUMNS)}`
}
${pager(address, next === null ? null : String(next))}
</div>`}`,
    };
  },
};

const FILTERS = [
  { name: 'trigger', label: 'Started', choices: choicesOf(RUN_TRIGGERS, (value) => terms().triggers[value]) },
  { name: 'end', label: 'Ended', choices: choicesOf(ENDS, (value) => terms().runEnds[value][1]) },
];

type Run = QueryResult<'runs'>['rows'][number];

const COLUMNS: readonly Column<Run>[] = [
  { title: 'Run', cell: ({ runId }) => html`<a href="/runs/${runId}">Run ${runId}</a>` },
  { title: 'Started', cell: ({ startedAt }) => when(startedAt) },
  {
    title: 'Took',
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? html`<span class="absent">not ended</span>` : lengthText(startedAt, endedAt),
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
