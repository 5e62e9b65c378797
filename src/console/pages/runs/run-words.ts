import { msFromIso } from '../../../domain/clock.js';
import type { RunEnd } from '../../../domain/process/run.js';
import { inWords } from '../../../domain/text/duration-words.js';
import { type Html, html } from '../../../report/page/html.js';
import { terms } from '../../../report/words/terms.js';

export function endChip(end: RunEnd | null): Html {
  const [tone, words] = terms().runEnds[end ?? 'open'];
  return html`<span class="chip ${tone}">${words}</span>`;
}

export function lengthText(startedAt: string, endedAt: string): string {
  return inWords(Math.max(0, msFromIso(endedAt) - msFromIso(startedAt)));
}
