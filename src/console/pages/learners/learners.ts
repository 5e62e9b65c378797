import type { QueryResult } from '../../../actions/browse/queries.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import { hrefOf, type Visit } from '../../work/visit.js';
import { type Page, SEE_ROWS } from '../page.js';
import { formToken, hiddenFields, reasonField } from '../parts/fields.js';
import { filterForm, pager } from '../parts/list-table.js';
import { parseNumber } from '../parts/parse-params.js';
import { mapPath } from '../parts/row-link.js';
import { whenOr } from '../parts/when.js';

const ON_A_PAGE = 15;

type Unknown = QueryResult<'learners'>['unknown'][number];

/** Learners whom the platform doesn't know, with near ones: each is corrected by one press and a reason. */
export const learnersPage: Page = {
  path: '/learners',
  roles: SEE_ROWS,
  async show(visit) {
    return {
      title: 'Learners the platform doesn’t know',
      section: '/learners',
      content: html`${visit.mayAct ? html`<p><a href="/learners/many">Map many at once</a> · <a href="/decide/map">Map an identifier that isn’t listed</a></p>` : ''}`,
      rest: list(visit),
    };
  },
};

async function list(visit: Visit): Promise<Html> {
  const named = visit.address.query.learner?.trim() || null;
  const from = parseNumber(visit.address.query.after) ?? 0;
  const part = { from, count: ON_A_PAGE };
  const { learners, rows, unknown, listable } = await visit.query('learners', { named, ...part });
  if (learners === 0)
    return html`<p class="empty">All clear: the platform knows every learner. <a href="/attention">Needs attention</a></p>`;
  const next = listable > from + ON_A_PAGE ? from + ON_A_PAGE : null;
  return html`<p class="second">${counted(learners, 'learner')} with ${counted(rows, 'row')}${listable < learners && named === null ? `; the ${numberText(listable)} with the most rows are listed` : ''}. A similar identifier may belong to another person: check before you decide.</p>
${filterForm({ ...visit.address, path: '/learners' }, [{ name: 'learner', label: 'Identifier in the files' }])}
${listable === 0 ? html`<p class="empty">No row was refused because of this learner. <a href="/learners">Show all</a></p>` : ''}
${unknown.map((one, index) => learner(visit, one, index))}
${pager(visit.address, next)}`;
}

function learner(visit: Visit, one: Unknown, index: number): Html {
  const { id, type, environment, rows, example, rechecks, nextRecheck } = one;
  return html`<section class="learner" aria-labelledby="learner-${index}"><h2 id="learner-${index}"><bdi>${id}</bdi></h2>
<dl class="pairs">
<dt>Rows</dt><dd><a href="${hrefOf({ path: '/attention/rows', query: { learner: id } })}">${counted(rows, 'row')}</a>, such as <bdi>${example}</bdi></dd>
<dt>Identifier</dt><dd>${type} in <bdi>${environment}</bdi></dd>
<dt>Rechecked</dt><dd>${rechecks === 0 ? 'not yet' : counted(rechecks, 'time')}; next ${whenOr(nextRecheck, 'never')}</dd>
</dl>
${visit.mayAct ? decide(visit, one, index) : nearList(one)}
</section>
`;
}

function decide(visit: Visit, { id, type, near }: Unknown, index: number): Html {
  const mappings = near.map((one, nth) => ({ one, path: mapPath({ old: id, new: one.id, type }), nth }));
  return html`${mappings.map(
    ({ one, path, nth }) => html`<form method="post" action="${path}" class="near">${formToken(visit)}
<p><b>Similar:</b> <bdi>${one.id}</bdi> <small>${terms().differences[one.why]}</small></p>
${reasonField(true, '', `because-${index}-${nth}`)}
<p class="buttons"><button>Map to <bdi>${one.id}</bdi></button> <a href="${path}">Preview</a></p></form>`,
  )}
<form method="get" action="/decide/map" class="other">${hiddenFields({ old: id, type })}
<p class="field"><label for="new-${index}">${near.length === 0 ? 'The right identifier' : 'Another identifier'}</label>
<input id="new-${index}" name="new" type="text" required maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<p class="buttons"><button class="second-choice">Preview</button> <a href="${hrefOf({ path: '/decide/rerun', query: { learner: id, states: 'rejected,held' } })}">Now known: rerun</a></p></form>`;
}

function nearList({ near }: Unknown): Html {
  if (near.length === 0) return html`<p class="note">No similar learner is known to the platform.</p>`;
  return html`<p>Similar:</p><ul>${near.map((one) => html`<li><bdi>${one.id}</bdi> <small>${terms().differences[one.why]}</small></li>`)}</ul>`;
}
