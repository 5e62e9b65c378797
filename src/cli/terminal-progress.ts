import type { Clock } from '../domain/clock.js';
import { inWords } from '../domain/text/duration-words.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { estimateWords } from '../report/status/delivery-estimate.js';
import { counted } from '../report/text/counted.js';
import { clip } from '../report/text/layout.js';
import { noticeWords } from '../report/words/notice-words.js';
import type { Io } from './io.js';
import type { Progress } from './log-progress.js';
import { columnsOf } from './screen.js';

type StageEvent = Parameters<Progress['onStage']>[0];
type PushEvent = Parameters<Progress['onPush']>[0];

/** Often enough to look live. */
const REDRAW_MS = 100;

function statusLine(clock: Clock) {
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    show(text: string) {
      const nowMs = clock.monotonicMs();
      if (nowMs - shownMs < REDRAW_MS) return;
      shownMs = nowMs;
      process.stderr.write(`\r${clip(text, columnsOf(process.stderr) - 1)}\u001b[K`);
    },
    hide() {
      if (shownMs > Number.NEGATIVE_INFINITY) process.stderr.write('\r\u001b[K');
      shownMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Reports a run on a terminal: sentences, and below them a line with how far it is. */
export function terminalProgress(io: Io, clock: Clock): Progress {
  const line = statusLine(clock);
  const counts = { expected: 0, done: 0, refused: 0 };
  const say = (text: string | null) => {
    if (text === null) return;
    line.hide();
    io.err(text);
  };
  return {
    onStage(event) {
      if (event.kind === 'rows') line.show(`  ${counted(event.rows, 'row')} read`);
      else say(stageSentence(visibleStrings(event)));
    },
    onEstimate(estimate) {
      say(`${estimateWords(visibleStrings(estimate))}\n`);
    },
    onPush(event) {
      const shown = visibleStrings(event);
      say(pushSentence(shown));
      const pause = shown.kind === 'paused' ? ` | paused ${inWords(shown.forMs)}: ${shown.reason}` : '';
      if (isCounted(shown, counts) || pause !== '')
        line.show(`${counts.done} of ${counts.expected} done | ${counts.refused} refused${pause}`);
    },
    end: line.hide,
  };
}

/** An event of staging as a sentence; null where people needn't read it. */
function stageSentence(event: StageEvent): string | null {
  switch (event.kind) {
    case 'rows':
      return null;
    case 'drop':
      return `Reading ${event.source}/${event.file}\n`;
    case 'published': {
      const { staged, amended, duplicate, skipped, invalid } = event.dispositions;
      return `  ${staged + amended} to deliver, ${duplicate} duplicate, ${skipped} skipped, ${invalid} invalid\n`;
    }
    case 'corrected':
      return event.isRepeat
        ? '  the same corrections were imported before: nothing new\n'
        : `  corrects rows of earlier files, by decision ${event.decisionId}\n`;
    case 'repeated':
      return '  the same file was imported before: nothing new\n';
    case 'refused':
      return `  refused: ${event.sentence}\n`;
    case 'left':
      return `Left in the inbox of ${event.source}: ${event.file} ${event.reason}\n`;
    case 'queued':
      return `Process ${event.pid} is staging; waiting for it.\n`;
  }
}

function pushSentence(event: PushEvent): string | null {
  switch (event.kind) {
    case 'canary':
      return `${event.refused} of the first ${event.answered} rows of drop ${event.dropId} were refused: the rest of it is held.\n`;
    case 'noticed':
      return `Noticed: ${noticeWords(event.environment, event.notice).message}.\n`;
    case 'usable':
      return `Environment ${event.environment} can be used again.\n`;
    default:
      return null;
  }
}

/** Counts an event of delivery. @returns whether a row has an answer. */
function isCounted(event: PushEvent, counts: { expected: number; done: number; refused: number }): boolean {
  if (event.kind === 'begin') counts.expected += event.waiting;
  if (event.kind !== 'answered') return false;
  const { state } = event;
  if (state === 'rejected' || state === 'failed') counts.refused += 1;
  if (state !== null && state !== 'waiting') counts.done += 1;
  return true;
}
