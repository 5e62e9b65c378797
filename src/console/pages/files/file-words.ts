import type { QueryResult } from '../../../actions/browse/queries.js';
import type { FileStanding } from '../../../domain/files/file-standing.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { ATTENTION_STATES, STATES } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { countsHtml } from '../../../report/page/words.js';
import { countsOf } from '../../../report/sections/section.js';
import { terms } from '../../../report/words/terms.js';
import { hrefOf } from '../../visits/visit.js';

export type ShownFile = QueryResult<'files'>['files'][number];

export function standingChip(standing: FileStanding): Html {
  const [tone, words] = terms().standings[standing];
  return html`<span class="chip ${tone}">${words}</span>`;
}

export function dispositionCounts({ file, dispositions }: Pick<ShownFile, 'file' | 'dispositions'>): Html {
  const counts = countsOf('dispositions', DISPOSITIONS, dispositions);
  return countsHtml(counts, (name) => (name === 'invalid' ? rowsOf(file, name) : null));
}

/** The states of a file's submissions; those that need attention link to their rows. */
export function stateCounts({ file, states }: Pick<ShownFile, 'file' | 'states'>): Html {
  const isOpen = (name: string) => ATTENTION_STATES.some((state) => state === name);
  return countsHtml(countsOf('states', STATES, states), (name) => (isOpen(name) ? rowsOf(file, name) : null));
}

function rowsOf(file: string, state: string): string {
  return hrefOf({ path: '/attention/rows', query: { file, states: state } });
}

/** How a refused file was closed; null while it is open. */
export function closureWords({ closure }: Pick<ShownFile, 'closure'>): Html | null {
  if (closure === null) return null;
  if (closure.kind === 'came-in')
    return html`Its rows were imported later, with <a href="/files/${closure.drop}">drop ${closure.drop}</a>.`;
  const because = closure.because === null ? '' : html`: ${closure.because}`;
  return html`Dismissed by <bdi>${closure.who}</bdi>, decision ${closure.decision}${because}.`;
}
