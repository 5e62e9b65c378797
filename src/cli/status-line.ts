import type { Clock } from '../domain/clock.js';
import { clip } from '../report/text/layout.js';
import { columnsOf } from './screen.js';

/** A line at the end of the terminal that is written over as work goes on. */
export interface StatusLine {
  show(text: string): void;
  /** Takes it off the screen. */
  hide(): void;
}

/** Often enough to look alive. */
const EVERY_MS = 100;

/** The status line of stderr, which is a terminal. */
export function statusLine(clock: Clock): StatusLine {
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const nowMs = clock.monotonicMs();
      if (nowMs - shownMs < EVERY_MS) return;
      shownMs = nowMs;
      process.stderr.write(`\r${clip(text, columnsOf(process.stderr) - 1)}\u001b[K`);
    },
    hide() {
      if (shownMs > Number.NEGATIVE_INFINITY) process.stderr.write('\r\u001b[K');
      shownMs = Number.NEGATIVE_INFINITY;
    },
  };
}
