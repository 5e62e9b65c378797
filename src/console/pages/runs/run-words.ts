import { msFromIso } from '../../../domain/clock.js';
import type { RunEnd } from '../../../domain/process/run.js';
import { type Html, html } from '../../../report/page/html.js';
import { terms } from '../../../report/words/terms.js';

export function endChip(end: RunEnd | null): Html {
  const [tone, words] = terms().runEnds[end ?? 'open'];
  return html`<span class="chip ${tone}">${words}</span>`;
}

/** How long a run took: `3 s`, `2 min 5 s`, `1 h 20 min`. */
export function lengthText(startedAt: string, endedAt: string): string {
  const seconds = Math.max(0, Math.round((msFromIso(endedAt) - msFromIso(startedAt)) / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
