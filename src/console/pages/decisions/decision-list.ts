import { DOORS } from '../../../domain/decider.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import { clip } from '../../../report/text/layout.js';
import { terms } from '../../../report/words/terms.js';
import { type Address, hrefOf, type Visit } from '../../visits/visit.js';
import { type Page, sectionOf } from '../page.js';
import { choicesOf } from '../parts/fields.js';
import { type Column, filterForm, listTable, orderOf, pager } from '../parts/list-table.js';
import { choiceIn, numberIn } from '../parts/number-in.js';
import { when } from '../parts/when.js';
import { aboutText, DECISION_KINDS, type Logged, resultText } from './decision-words.js';

const PAGE_ROWS = 50;

/** As much of a reason as a list bears; the decision's own page has all of it. */
const LONGEST_REASON = 200;

/** The log of what people decided, the latest first. */
export const decisionListPage: Page = {
  path: '/decisions',
  async show(visit, context) {
    const { address } = visit;
    const columns = columnsFor(visit);
    const order = orderOf(address, columns, { key: 'decision', isDescending: true });
    const { kind, who = '', door, end, after } = address.query;
    const { rows, total, next } = await context.query('decisions', {
      kind: choiceIn(kind, DECISION_KINDS),
      who: who.trim() === '' ? null : who.trim(),
      door: choiceIn(door, DOORS),
      isOpen: end === 'open',
      isDescending: order.isDescending,
      after: numberIn(after),
      most: PAGE_ROWS,
    });
    return {
      title: 'Decisions',
      section: '/decisions',
      isLive: true,
      content: sectionOf('log', 'All decisions')`
${visit.seesPeople ? html`<p class="note">The <a href="/audit">audit log</a> also has uploads, sign-ins and tokens.</p>` : ''}
${filterForm(address, FILTERS)}
<div id="decisions" data-part>
${
  rows.length === 0
    ? nothing(address)
    : html`<p class="note">${counted(total, 'decision')}</p>
${listTable('Decisions, who made them, and what they did', rows, columns, address, order)}`
}
${pager(address, next === null ? null : String(next))}
</div>`,
    };
  },
};

const FILTERS = [
  {
    name: 'kind',
    label: 'Decision',
    choices: choicesOf(DECISION_KINDS, (value) => terms().decisions[value]),
  },
  { name: 'who', label: 'Who' },
  { name: 'door', label: 'By', choices: choicesOf(DOORS, (value) => terms().doors[value]) },
  { name: 'end', label: 'Carried out', choices: [{ value: 'open', label: 'incomplete' }] },
];

function columnsFor(visit: Visit): readonly Column<Logged>[] {
  return [
    {
      key: 'decision',
      title: 'Decision',
      cell: ({ decisionId, kind }) =>
        html`<a href="/decisions/${decisionId}">${decisionId}: ${terms().decisions[kind]}</a>`,
    },
    { title: 'When', cell: ({ madeAt }) => when(madeAt) },
    { title: 'Who', cell: ({ who, door }) => html`<bdi>${who}</bdi>, ${terms().doors[door]}` },
    { title: 'About', cell: (decision) => aboutText(decision) },
    ...(visit.seesPeople ? [{ title: 'Why', cell: reason }] : []),
    { title: 'Result', cell: resultText },
  ];
}

function reason({ because }: Logged): Html {
  return because === null
    ? html`<span class="absent">no reason given</span>`
    : html`<bdi>${clip(because, LONGEST_REASON)}</bdi>`;
}

function nothing({ path, query }: Address): Html {
  const isNarrowed = ['kind', 'who', 'door', 'end', 'after'].some((name) => (query[name] ?? '') !== '');
  return isNarrowed
    ? html`<p class="empty">No decision matches. <a href="${hrefOf({ path, query: {} })}">Show all decisions</a></p>`
    : html`<p class="empty">No decisions yet. Make one where rows <a href="/attention">need attention</a>.</p>`;
}
