import type { QueryResult } from '../../../actions/browse/queries.js';
import type { FileStanding } from '../../../domain/files/file-standing.js';
import { DISPOSITIONS, type Disposition } from '../../../domain/row.js';
import { ATTENTION_STATES, STATES, type State } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import { hrefOf } from '../../visits/visit.js';

export type ShownFile = QueryResult<'files'>['files'][number];

export function standingChip(standing: FileStanding): Html {
  const [tone, words] = terms().standings[standing];
  return html`<span class="chip ${tone}">${words}</span>`;
}

export function dispositionCounts({ file, dispositions }: Pick<ShownFile, 'file' | 'dispositions'>): Html {
  return countsOf(DISPOSITIONS, dispositions, (name) => (name === 'invalid' ? rowsOf(file, name) : null));
}

/** The states of a file's submissions; those that need attention link to their rows. */
export function stateCounts({ file, states }: Pick<ShownFile, 'file' | 'states'>): Html {
  const isOpen = (name: State) => ATTENTION_STATES.some((state) => state === name);
  return countsOf(STATES, states, (name) => (isOpen(name) ? rowsOf(file, name) : null));
}

function rowsOf(file: string, state: State | 'invalid'): string {
  return hrefOf({ path: '/attention/rows', query: { file, states: state } });
}

export function closureWords({ closure }: Pick<ShownFile, 'closure'>): Html | null {
  if (closure === null) return null;
  if (closure.kind === 'came-in')
    return html`Its rows were imported later, with <a href="/files/${closure.drop}">drop ${closure.drop}</a>.`;
  const because = closure.because === null ? '' : html`: ${closure.because}`;
  return html`Dismissed by <bdi>${closure.who}</bdi>, decision ${closure.decision}${because}.`;
}

function countsOf<Name extends Disposition | State>(
  names: readonly Name[],
  counts: Readonly<Partial<Record<Name, number>>>,
  hrefTo: (name: Name) => string | null,
): Html {
  const shown = names.filter((name) => (counts[name] ?? 0) > 0);
  if (shown.length === 0) return html`<span class="absent">none</span>`;
  return html`<span class="counts">${shown.map((name) => {
    const text = html`<data value="${counts[name] ?? 0}">${numberText(counts[name] ?? 0)}</data> ${name}`;
    const href = hrefTo(name);
    return html`<span>${href === null ? text : html`<a href="${href}">${text}</a>`}</span> `;
  })}</span>`;
}
