import type { QueryResult } from '../../actions/browse/queries.js';
import type { MatchedRow } from '../../actions/browse/search.js';
import { BROWSABLE } from '../../actions/rows/selectable.js';
import { type Html, type HtmlValue, html } from '../../report/page/html.js';
import { counted, numberText } from '../../report/text/counted.js';
import { hrefOf, type Visit } from '../work/visit.js';
import { matchesTable } from './learners/person.js';
import { type Page, SEARCH_PATH, SEE_ROWS, sectionOf } from './page.js';
import { personPath, rowPath } from './parts/row-link.js';
import { when } from './parts/when.js';

const MAX_SHOWN = 20;

type Result = QueryResult<'search'>;

/** What a text of the field at the head of each page names or is part of; a text that names one thing leads to it. */
export const searchPage: Page = {
  path: SEARCH_PATH,
  roles: SEE_ROWS,
  async show(visit) {
    const { q = '', all = '' } = visit.address.query;
    const text = q.trim();
    const title = text === '' ? 'Search' : `Search: ${text}`;
    if (text === '') return { title, content: html`<p class="second">${HELP}</p>` };
    const named = await namedBy(visit, text);
    const [only] = named;
    if (/^#|:\d+$/.test(text) && only !== undefined && named.length === 1) return to(only.href);
    const result = await visit.query('search', { search: text, limit: MAX_SHOWN });
    const person = result.learners.find(({ isExact }) => isExact);
    if (all === '' && named.length === 0 && person !== undefined) return to(personPath(text));
    return { title, content: results(visit, named, result) };
  },
};

const HELP =
  'Find a person by any part of the address or the identifier, a course by its id or title, a file by its name, a row by its place (march.csv:217) or number (#17), a run or a decision by its number, and a refusal by the platform’s error id.';

function to(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

type Named = Readonly<Record<'href' | 'text', string>>;

/** The things that a number or a place names: `17`, `#17` for a row alone, `march.csv:217`. */
async function namedBy(visit: Visit, text: string): Promise<readonly Named[]> {
  const [, hash, digits] = /^(#?)(\d{1,12})$/.exec(text) ?? [];
  if (digits === undefined && !/:\d{1,9}$/.test(text)) return [];
  const number = Number(digits);
  const what = digits === undefined ? text : `#${number}`;
  const row = await visit.query('row', { what, isExplained: false });
  const href = rowPath(digits === undefined ? text : String(number));
  const result = row === null ? [] : [{ href, text: `Row ${what}` }];
  if (hash !== '') return result;
  if (await visit.query('run', { run: number }))
    result.push({ href: `/runs/${number}`, text: `Run ${number}` });
  if (await visit.query('decision', { decision: number, after: null, limit: 1 }))
    result.push({ href: `/decisions/${number}`, text: `Decision ${number}` });
  const file = await visit.query('file', { drop: number });
  if (file !== null) result.push({ href: `/files/${number}`, text: `File ${number}: ${file.file}` });
  return result;
}

function results(
  visit: Visit,
  named: readonly Named[],
  { learners, contents, files, rows, refused, unsearched }: Result,
): Html {
  const links = named.map(({ href, text }) => html`<a href="${href}"><bdi>${text}</bdi></a>`);
  const latest = rows.count > MAX_SHOWN ? `: the latest ${MAX_SHOWN} of ${numberText(rows.count)}` : '';
  const sections = [
    group('numbers', 'By number or place', links),
    group('people', titleOf('People', learners), learners.map(person)),
    table(visit, 'rows', `Rows without a record${latest}`, rows.first),
    group('courses', titleOf('Courses', contents), contents.map(course)),
    group('files', titleOf('Files', files), files.map(fileItem)),
    table(visit, 'refusals', 'Requests that the platform refused with this error id', refused),
  ];
  const all = [named, learners, contents, files, rows.first, refused].flat();
  return html`${all.length === 0 ? html`<p class="empty">Nothing has this text. ${HELP}</p>` : sections}
${unsearched === 0 ? '' : html`<p class="note">Not searched: ${counted(unsearched, 'older row')} without a record.</p>`}`;
}

function titleOf(title: string, matches: readonly unknown[]): string {
  return matches.length < MAX_SHOWN ? title : `${title}: the first ${MAX_SHOWN}`;
}

function group(id: string, title: string, items: readonly HtmlValue[]): Html {
  if (items.length === 0) return html``;
  return sectionOf(id, title)`<ul class="found">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function person({ id, type, states }: Result['learners'][number]): Html {
  const counts = Object.entries(states).map(([state, count]) => `${numberText(count)} ${state}`);
  return html`<a href="${personPath(id)}"><bdi>${id}</bdi></a> <small>${type}: ${counts.length === 0 ? 'no rows' : counts.join(', ')}</small>`;
}

function course({ id, title }: Result['contents'][number]): Html {
  const query = { content: id, states: BROWSABLE.states.join(',') };
  return html`<a href="${hrefOf({ path: '/attention/rows', query })}"><bdi>${id}</bdi></a>${title === null ? '' : html` <small><bdi>${title}</bdi></small>`}`;
}

function fileItem({ drop, file, source, importedAt }: Result['files'][number]): Html {
  return html`<a href="/files/${drop}"><bdi>${file}</bdi></a> <small>${source}, ${when(importedAt)}</small>`;
}

function table(visit: Visit, id: string, title: string, rows: readonly MatchedRow[]): Html {
  if (rows.length === 0) return html``;
  return sectionOf(id, title)`
${matchesTable(visit, rows, `${title}, and what can be done`)}`;
}
