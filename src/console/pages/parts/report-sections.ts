import { BROWSABLE } from '../../../actions/rows/selectable.js';
import type { Links, PageFacts } from '../../../report/page/facts.js';
import { type Html, html } from '../../../report/page/html.js';
import { sectionsOf, verdict } from '../../../report/page/html-page.js';
import { sectionHtml } from '../../../report/page/section-html.js';
import { hrefOf, type Visit } from '../../visits/visit.js';
import { remedyLink } from '../attention/remedy-link.js';

/** The sections of a report that are the same on each page, and those about damage where there is any. */
const SHOWN_APART = ['settings', 'books'];

/**
 * What a report says, as a part of a page: the outcome, what the page puts below it, and the sections.
 * @param of the rows as the list of rows names them in addresses.
 */
export function reportSections(
  visit: Visit,
  facts: PageFacts,
  of: Readonly<Record<string, string>>,
  {
    top,
    whole,
    without = [],
  }: { readonly top?: Html; readonly whole: Html; readonly without?: readonly string[] },
): Html {
  const linked = { ...facts, links: linksTo(visit, of, whole) };
  const left = [...(facts.report.balanced ? SHOWN_APART : SHOWN_APART.slice(0, 1)), ...without];
  return html`${verdict(linked)}
${top ?? ''}
${sectionsOf(linked)
  .filter(([{ id }]) => !left.includes(id))
  .map(([section, content]) => sectionHtml(section, content))}`;
}

function linksTo({ mayAct }: Visit, of: Readonly<Record<string, string>>, whole: Html): Links {
  return {
    cause: ({ code, states }) =>
      rowsHref({ ...of, cause: code, states: states.map(({ state }) => state).join(',') }),
    rows: (state) => (isOpen(state) ? rowsHref({ ...of, states: state }) : null),
    file: (drop) => `/files/${drop}`,
    remedy: (remedy) => (mayAct ? remedyLink(remedy) : html``),
    whole,
  };
}

/** The rows of a selection, as their list names it in its address. */
export function rowsHref(query: Readonly<Record<string, string>>): string {
  return hrefOf({ path: '/attention/rows', query });
}

/** True for the states that need attention. */
export function isOpen(state: string): boolean {
  return BROWSABLE.usual.some((one) => one === state);
}
