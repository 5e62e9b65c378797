import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import { inWords } from '../domain/text/duration-words.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { estimateWords } from '../report/status/delivery-estimate.js';
import { estimatedMs } from '../report/status/estimate.js';
import { noticeWords } from '../report/words/notice-words.js';
import { createDeliveryBar, createStagingBar, type DeliveryBar } from './bars.js';
import type { Io } from './io.js';
import type { Progress, PushEvent, StageEvent } from './watching.js';

type Environments = Readonly<Record<string, EnvironmentConfig>>;

/**
 * Reports a run on a terminal: a bar of rows that are read, then one of rows that are delivered, and sentences above them.
 */
export function terminalProgress(io: Io, environments: Environments, clock: Clock): Progress {
  const staging = createStagingBar(clock);
  const delivery = createDeliveryBar(clock);
  /** Environments of which it was said how long their delivery takes. */
  const estimated = new Set<string>();
  const end = () => {
    staging.hide();
    delivery.hide();
  };
  const say = (text: string | null) => {
    if (text === null) return;
    end();
    io.err(text);
  };
  return {
    onStage(event) {
      if (event.kind === 'rows') staging.show(event.rows, event.expectedRows);
      else say(stageSentence(visibleStrings(event)));
    },
    onEstimate(estimate) {
      estimated.add(estimate.environment);
      say(`${estimateWords(visibleStrings(estimate))}\n`);
    },
    onPush(event) {
      const shown = visibleStrings(event);
      const isSaid = event.kind === 'begin' && estimated.has(event.environment);
      if (!isSaid) say(pushSentence(shown, environments));
      showDelivery(shown, delivery, environments);
    },
    end,
  };
}

/** An event of staging as a sentence above the bar; null where people needn't read it. */
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
        ? '  the same corrections came in before: nothing new\n'
        : `  corrects rows of earlier files, by decision ${event.decisionId}\n`;
    case 'repeated':
      return '  the same bytes came in before: nothing new\n';
    case 'refused':
      return `  set aside: ${event.sentence}\n`;
    case 'left':
      return `Left in the inbox of ${event.source}: ${event.file} ${event.reason}\n`;
    case 'queued':
      return `Process ${event.pid} is staging; waiting for it.\n`;
  }
}

/** An event of delivery as a sentence above the bar; null where people needn't read it. */
function pushSentence(event: PushEvent, environments: Environments): string | null {
  switch (event.kind) {
    case 'answered':
    case 'paused':
    case 'end':
      return null;
    case 'begin': {
      const environment = environments[event.environment];
      if (event.waiting === 0 || environment === undefined) return null;
      const { requests, perMs } = environment.quota;
      const lasts = inWords(estimatedMs(event.waiting, environment));
      return `Delivering ${event.waiting} to ${event.environment} at ${requests} per ${inWords(perMs)}: about ${lasts}\n`;
    }
    case 'canary':
      return `${event.refused} of the first ${event.answered} rows of drop ${event.dropId} were refused: the rest of it is held.\n`;
    case 'noticed':
      return `Noticed: ${noticeWords(event.environment, event.notice).message}.\n`;
    case 'usable':
      return `Environment ${event.environment} can be used again.\n`;
    case 'queued':
      return `Process ${event.pid} delivers another rerun to ${event.environment}; waiting for it.\n`;
  }
}

/** Moves the bar on. */
function showDelivery(event: PushEvent, bar: DeliveryBar, environments: Environments): void {
  if (event.kind === 'begin') bar.expect(event.waiting);
  else if (event.kind === 'paused') bar.draw(`paused ${inWords(event.forMs)}: ${event.reason}`);
  else if (event.kind === 'answered') {
    const { state } = event;
    if (state === 'accepted') bar.count('accepted');
    else if (state === 'rejected' || state === 'failed') bar.count('refused');
    else if (state !== null && state !== 'waiting') bar.count('otherwise');
    const lasts = Object.values(environments).map((environment) => estimatedMs(bar.left(), environment));
    bar.draw(`about ${inWords(Math.max(0, ...lasts))} left`);
  }
}
