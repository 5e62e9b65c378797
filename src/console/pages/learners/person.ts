import type { QueryResult } from '../../../actions/browse/queries.js';
import type { MatchedRow } from '../../../actions/browse/search.js';
import { RERUNNABLE } from '../../../actions/rows/selectable.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import { hrefOf, type Visit } from '../../work/visit.js';
import { reasonCell, rowsTable } from '../attention/rows-table.js';
import { type Page, SEE_ROWS, sectionOf } from '../page.js';
import { PAGE_ROWS, pager } from '../parts/list-table.js';
import { parseNumber } from '../parts/parse-params.js';
import { isOpen } from '../parts/report-sections.js';
import { mapPath, rowName, rowPath } from '../parts/row-link.js';
import { whenOr } from '../parts/when.js';

type Standing = MatchedRow['standing'];
type Person = QueryResult<'person'>;

export const personPage: Page = {
  path: '/learners/person',
  roles: SEE_ROWS,
  async show(visit) {
    const learner = (visit.address.query.learner ?? '').trim();
    const from = parseNumber(visit.address.query.after) ?? 0;
    const result = await visit.query('person', { learner, from, count: PAGE_ROWS });
    const total = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
    return {
      title: learner === '' ? 'No learner chosen' : learner,
      section: '/learners',
      isLive: true,
      content: html`<div id="person" data-part>
${sectionOf('where', headline(result, total))`
${result.corrections.map(({ old, now }) => html`<p class="second">${old.type} <bdi>${old.id}</bdi> counts as ${now.type} <bdi>${now.id}</bdi>, as mapped by an operator.</p>`)}
${result.unsearched > 0 ? html`<p class="note">${counted(result.unsearched, 'row')} without a record were not searched. To search them, run registrar trace.</p>` : ''}
${total === 0 ? html`<p class="empty">No file has had a row with this identifier. <a href="${hrefOf({ path: '/search', query: { q: learner, all: 'yes' } })}">Search for parts of it</a></p>` : matchesTable(visit, result.rows, 'Rows that need attention first, then the latest', false)}
${visit.mayAct ? decisions(result, learner, total) : ''}
${pager(visit.address, total > from + PAGE_ROWS ? from + PAGE_ROWS : null)}`}</div>`,
    };
  },
};

function headline({ counts }: Person, total: number): string {
  if (total === 0) return 'No rows';
  const open = Object.entries(counts).reduce((sum, [name, count]) => sum + (isOpen(name) ? count : 0), 0);
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    isOpen(name) || count === 0 ? [] : [`${numberText(count)} ${name}`],
  );
  if (open > 0) parts.unshift(`${numberText(open)} ${agreeing(open, 'needs', 'need')} attention`);
  return `${counted(total, 'row')}: ${parts.join(' · ')}`;
}

export function matchesTable(visit: Visit, rows: readonly MatchedRow[], caption: string, hasLearner = true) {
  return rowsTable(rows, {
    ...{ caption, hasLearner },
    state: ({ standing, since }) =>
      html`<span class="chip ${toneOf(standing)}">${standing}</span><br><small>${whenOr(since, '')}</small>`,
    what: (row) => html`${why(row)}${visit.mayAct ? remedies(row) : ''}`,
  });
}

function toneOf(standing: Standing): string {
  if (standing === 'closed') return 'calm';
  const { states, dispositions } = terms();
  return (standing === 'invalid' || standing === 'skipped' ? dispositions[standing] : states[standing])[0];
}

/** Why the row is where it is, in words; for those that need attention, what the table of rows says. */
function why(row: MatchedRow): Html {
  const { standing } = row;
  if (isOpen(standing) || standing === 'skipped') return reasonCell(row);
  return html`<p>${terms().calm[standing] ?? ''}</p>`;
}

function remedies(row: MatchedRow): Html {
  const { standing, submission, cause, learner } = row;
  if (!isOpen(standing)) return html``;
  const name = rowName(row);
  const link = (href: string, text: string) => html`<a href="${href}">${text}</a> `;
  const query = { states: standing, rows: name };
  const map = cause === 'learner-unknown' && learner !== null ? link(mapPath({ old: learner }), 'Map') : '';
  const rerun = submission === null ? '' : link(hrefOf({ path: '/decide/rerun', query }), 'Rerun');
  const dismiss = link(hrefOf({ path: '/decide/dismiss', query }), 'Dismiss');
  return html`<p class="acts">${link(`${rowPath(name)}#correct`, 'Correct')}${map}${rerun}${dismiss}</p>`;
}

function decisions({ counts }: Person, learner: string, total: number): Html {
  if (total === 0) return html``;
  const states = RERUNNABLE.states.filter((state) => (counts[state] ?? 0) > 0);
  const again = { path: '/decide/rerun', query: { learner, states: states.join(',') } };
  return html`<p class="buttons">${
    states.length === 0
      ? ''
      : html`<a class="button" href="${hrefOf(again)}">Rerun all that were refused</a> `
  }<a class="button second-choice" href="${mapPath({ old: learner })}">Map to another identifier</a></p>`;
}
