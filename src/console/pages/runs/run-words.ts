import { msFromIso } from '../../../domain/clock.js';
import type { RunEnd } from '../../../domain/process/run.js';
import { type Html, html } from '../../../report/page/html.js';

/** How a run ended, in words; `open`: no end of it is known. */
export const END_WORDS: Readonly<Record<RunEnd | 'open', string>> = {
  done: 'done',
  attention: 'rows need attention',
  unavailable: 'platform unavailable',
  interrupted: 'interrupted',
  unbalanced: 'books don’t balance',
  error: 'failed',
  died: 'died',
  open: 'running',
};

/** The end of a run as a chip. */
export function endChip(end: RunEnd | null): Html {
  return html`<span class="chip ${LOOKS[end ?? 'open']}">${END_WORDS[end ?? 'open']}</span>`;
}

const LOOKS: Readonly<Record<RunEnd | 'open', string>> = {
  done: 'good',
  attention: 'open',
  unavailable: 'bad',
  interrupted: 'calm',
  unbalanced: 'bad',
  error: 'bad',
  died: 'bad',
  open: 'calm',
};

/** How long a run took: `3 s`, `2 min 5 s`, `1 h 20 min`. */
export function lengthText(startedAt: string, endedAt: string): string {
  const seconds = Math.max(0, Math.round((msFromIso(endedAt) - msFromIso(startedAt)) / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
