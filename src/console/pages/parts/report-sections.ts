import { BROWSABLE } from '../../../actions/rows/selectable.js';
import type { Links, PageFacts } from '../../../report/page/facts.js';
import { type Html, html } from '../../../report/page/html.js';
import { sectionsOf, verdict } from '../../../report/page/html-page.js';
import { sectionHtml } from '../../../report/page/section-html.js';
import { hrefOf, type Visit } from '../../work/visit.js';
import { remedyLink } from '../attention/remedy-link.js';

/** The console has its own page for the settings, and proves the books on the page of the whole report. */
export const SHOWN_APART = ['settings', 'books'];

/**
 * What a report says, as a part of a page: the outcome, what the page puts below it, and the sections.
 * @param of the rows as the list of rows names them in addresses; null: it can't.
 * @param without the sections that are left out; that about the books is shown wherever they don't balance.
 */
export function reportSections(
  visit: Visit,
  facts: PageFacts,
  of: Readonly<Record<string, string>> | null,
  around: { readonly top?: Html; readonly whole: Html; readonly without?: readonly string[] },
): Html {
  const { top, whole, without = SHOWN_APART } = around;
  const linked = { ...facts, links: linksTo(visit, of, whole) };
  const isShown = (id: string) => !without.includes(id) || (id === 'books' && !facts.report.balanced);
  return html`${verdict(linked)}
${top ?? ''}
${sectionsOf(linked)
  .filter(([{ id }]) => isShown(id))
  .map(([section, content]) => sectionHtml(section, content))}`;
}

function linksTo(visit: Visit, of: Readonly<Record<string, string>> | null, whole: Html): Links {
  return {
    cause: ({ code, states }) =>
      of && rowsHref(visit, { ...of, cause: code, states: states.map(({ state }) => state).join(',') }),
    rows: (state) => (of && isOpen(state) ? rowsHref(visit, { ...of, states: state }) : null),
    file: (drop) => `/files/${drop}`,
    remedy: (remedy) => (visit.mayAct ? remedyLink(remedy) : html``),
    whole,
  };
}

/** The rows of a selection, as their list names it in its address; null for a viewer, who sees no rows. */
export function rowsHref({ seesPeople }: Visit, query: Readonly<Record<string, string>>): string | null {
  return seesPeople ? hrefOf({ path: '/attention/rows', query }) : null;
}

export function isOpen(state: string): boolean {
  return BROWSABLE.usual.some((one) => one === state);
}
