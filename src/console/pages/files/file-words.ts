import type { QueryResult } from '../../../actions/browse/queries.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { STATES } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { countsHtml } from '../../../report/page/words.js';
import { countsOf } from '../../../report/sections/section.js';
import type { Visit } from '../../work/visit.js';
import { isOpen, rowsHref } from '../parts/report-sections.js';

export type ShownFile = QueryResult<'files'>['files'][number];

/** The results of a file's rows; what may need attention leads to its rows. */
export function dispositionCounts(visit: Visit, { file, dispositions }: ShownFile): Html {
  return countsHtml(countsOf('dispositions', DISPOSITIONS, dispositions), (name) =>
    hrefIn(visit, file, name),
  );
}

export function stateCounts(visit: Visit, { file, states }: ShownFile): Html {
  return countsHtml(countsOf('states', STATES, states), (name) => hrefIn(visit, file, name));
}

function hrefIn(visit: Visit, file: string, states: string): string | null {
  return isOpen(states) ? rowsHref(visit, { file, states }) : null;
}

/** How a refused file was closed; null while it is open. */
export function closureWords({ seesPeople }: Visit, { closure }: Pick<ShownFile, 'closure'>): Html | null {
  if (closure === null) return null;
  if (closure.kind === 'came-in')
    return html`Its rows were imported later, with <a href="/files/${closure.drop}">drop ${closure.drop}</a>.`;
  if (!seesPeople) return html`Dismissed.`;
  const because = closure.because === null ? '' : html`: ${closure.because}`;
  return html`Dismissed by <bdi>${closure.who}</bdi>, decision ${closure.decision}${because}.`;
}
