import type { QueryResult } from '../../../actions/browse/queries.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { type Html, html } from '../../../report/page/html.js';
import { numberText } from '../../../report/text/counted.js';
import { csvLine } from '../../../report/text/csv-line.js';
import { clip } from '../../../report/text/layout.js';
import { terms } from '../../../report/words/terms.js';
import { hrefOf, type Visit } from '../../work/visit.js';
import { type Page, SEE_ROWS, sectionOf, streamOfPieces } from '../page.js';
import { choicesOf } from '../parts/fields.js';
import { type Column, emptyList, filterForm, listTable, PAGE_ROWS, pager } from '../parts/list-table.js';
import { parseChoice, parseTime } from '../parts/parse-params.js';
import { when } from '../parts/when.js';
import { aboutText, resultText } from './decision.js';

type Entry = QueryResult<'auditLog'>['rows'][number];

const WORDS: Readonly<Record<Entry['kind'], string>> = { ...terms().events, ...terms().decisions };

const KINDS = Object.keys(WORDS) as readonly Entry['kind'][];

const ROWS_AT_ONCE = 1_000;
/** As much of a reason as a list bears; the decision's own page has all of it. */
const MAX_REASON_CHARS = 200;

export const auditLogPage: Page = {
  path: '/audit',
  roles: SEE_ROWS,
  async show(visit) {
    const { address } = visit;
    const { rows, total, next } = await entries(visit, address.query.after ?? null, PAGE_ROWS);
    const file = hrefOf({ ...address, path: '/audit.csv' }, { after: null });
    return {
      title: 'Audit log',
      section: '/audit',
      isLive: true,
      content: sectionOf('log', 'What people did')`${filterForm(address, FILTERS)}
<div id="entries" data-part>
${
  rows.length === 0
    ? emptyList(address, 'entry', html`No entries yet. Decisions, uploads and sign-ins appear here.`)
    : html`<p class="note">${numberText(total)} ${agreeing(total, 'entry', 'entries')}. <a href="${file}">Download as CSV</a></p>
${listTable('What people did, when, and about what', rows, COLUMNS)}`
}
${pager(address, next)}
</div>`,
    };
  },
};

export const auditLogFile: Page = {
  path: '/audit.csv',
  roles: SEE_ROWS,
  async show(visit) {
    // Read before the file is begun: a wrong time is refused with a status of its own.
    const first = await entries(visit, null, ROWS_AT_ONCE);
    const disposition = { 'content-disposition': 'attachment; filename="audit-log.csv"' };
    const headers = { 'content-type': 'text/csv; charset=utf-8', ...disposition };
    return new Response(streamOfPieces(csvOf(visit, first)), { headers });
  },
};

async function* csvOf(visit: Visit, first: QueryResult<'auditLog'>): AsyncGenerator<string> {
  yield csvLine(['time', 'who', 'by', 'what', 'source', 'name', 'value', 'drop', 'decision', 'reason']);
  for (let page = first; ; page = await entries(visit, page.next, ROWS_AT_ONCE)) {
    for (const entry of page.rows) {
      const { at, who, kind, source, name, value, dropId, decisionId, because } = entry;
      const done = [at, who, doorText(entry), WORDS[kind], source, name, value];
      yield csvLine([...done, dropId, decisionId, because]);
    }
    if (page.next === null) return;
  }
}

/** The entries that the address selects. Throws OperatorError for an invalid time. */
function entries(visit: Visit, after: string | null, limit: number) {
  const { kind, who = '', since, until, end } = visit.address.query;
  return visit.query('auditLog', {
    kind: parseChoice(kind, KINDS),
    isOpen: end === 'open',
    who: who.trim() || null,
    since: parseTime(since),
    until: parseTime(until),
    after,
    limit,
  });
}

const FILTERS = [
  { name: 'kind', label: 'What', choices: choicesOf(KINDS, (value) => WORDS[value]) },
  { name: 'who', label: 'Who' },
  { name: 'since', label: 'From' },
  { name: 'until', label: 'Before' },
  { name: 'end', label: 'Carried out', choices: [{ value: 'open', label: 'incomplete' }] },
];

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'When', cell: ({ at }) => when(at) },
  { title: 'Who', cell: (entry) => html`<bdi>${entry.who}</bdi>, ${doorText(entry)}` },
  {
    title: 'What',
    cell: ({ kind, decisionId }) =>
      decisionId === null
        ? WORDS[kind]
        : html`<a href="/decisions/${decisionId}">${decisionId}: ${WORDS[kind]}</a>`,
  },
  { title: 'About', cell: (entry) => about(entry) },
  { title: 'Why', cell: ({ because }) => because && html`<bdi>${clip(because, MAX_REASON_CHARS)}</bdi>` },
  { title: 'Result', cell: ({ kind, decision }) => decision && resultText(kind, decision) },
];

/** The way by which it was done. A program signs in by a token. */
function doorText({ door, isToken }: Entry): string {
  return isToken === 1 ? 'token' : terms().doors[door];
}

function about({ kind, decision, dropId, name, value, source }: Entry): Html {
  if (decision !== null) return html`${aboutText(kind, decision.selection)}`;
  const named = name === null ? '' : html`<bdi>${name}</bdi>`;
  if (kind === 'assign') return html`${named}, ${value === '' ? 'unassigned' : html`to <bdi>${value}</bdi>`}`;
  if (kind === 'mute') return html`${named}, ${value ? html`until ${when(value)}` : 'unmuted'}`;
  if (kind === 'settings') return changedText(name ?? '');
  if (source === null) return html`${named}`;
  return html`${dropId === null ? named : html`<a href="/files/${dropId}">${named}</a>`}, for <bdi>${source}</bdi>`;
}

/** As many lines of a change as a list bears; the CSV file has all of them. */
const MAX_LINES = 12;

function changedText(lines: string): Html {
  const shown = lines.split('\n', MAX_LINES + 1).map((line) => clip(line, MAX_REASON_CHARS));
  return html`${shown.map((line, index) => (index < MAX_LINES ? html`<code>${line}</code><br>` : '…'))}`;
}
