import { Presets, SingleBar } from 'cli-progress';
import type { Logger } from 'pino';
import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { PushListener } from '../push/push-event.js';
import { estimatedMs, inWords } from '../report/estimate.js';
import { noticeWords } from '../report/notice-words.js';
import type { StageListener } from '../staging/stage-event.js';
import type { CommonOptions, Io } from './io.js';
import { createPauseLog } from './pause-log.js';
import { createStagingBar } from './staging-bar.js';

/** What shows a run to those who watch it. */
export interface Progress {
  readonly onStage: StageListener;
  readonly onPush: PushListener;
  /** Takes the bar off the screen. */
  end(): void;
}

/** A bar on a terminal; log lines everywhere else. */
export function createProgress(
  io: Io,
  options: CommonOptions,
  logger: Logger,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  clock: Clock,
): Progress {
  const logging = logProgress(logger);
  if (!io.isTerminal || options.quiet || options.json) return logging;
  return terminalProgress(io, environments, clock);
}

function logProgress(logger: Logger): Progress {
  const pauses = createPauseLog((facts, message) => logger.warn(facts, message));
  return {
    onStage(event) {
      // A refusal's sentence quotes values of the file, so it stays out of the log; the report has it.
      const { kind, ...rest } = event.kind === 'refused' ? { ...event, sentence: undefined } : event;
      if (kind === 'refused' || kind === 'left') logger.warn(rest, `drop ${kind}`);
      else if (kind === 'published' || kind === 'repeated') logger.info(rest, `drop ${kind}`);
      else logger.debug(rest, `staging: ${kind}`);
    },
    onPush(event) {
      const { kind, ...rest } = event;
      if (kind === 'paused') pauses.paused(event);
      else if (kind === 'usable') logger.info(rest, 'the environment can be used again');
      else if (kind === 'canary') logger.warn(rest, 'drop stopped: its first rows were refused');
      else if (kind === 'noticed') logger.warn(rest, 'pushing: noticed');
      else if (kind === 'answered') logger.debug(rest, 'answered');
      else logger.info(rest, `pushing: ${kind}`);
      if (kind === 'end') pauses.ended(event.environment);
    },
    end: () => {},
  };
}

function terminalProgress(
  io: Io,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  clock: Clock,
): Progress {
  const bar = new SingleBar(
    {
      format:
        '{bar} {value} of {total} done | accepted {accepted} | refused {refused} | left {left} | {rate}/min | {note}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      forceRedraw: true,
      // The terminal is as wide as it is; the text matters more than the bar.
      barsize: 16,
    },
    Presets.rect,
  );
  const counts = { total: 0, settled: 0, accepted: 0, refused: 0 };
  const startedMs = clock.monotonicMs();
  const staging = createStagingBar(clock);
  let drawn = false;
  const say = (text: string) => {
    staging.hide();
    if (!drawn) return io.err(text);
    bar.stop();
    drawn = false;
    io.err(text);
  };
  const draw = (note: string) => {
    const minutes = (clock.monotonicMs() - startedMs) / 60_000;
    const left = Math.max(0, counts.total - counts.settled);
    const payload = {
      accepted: counts.accepted,
      refused: counts.refused,
      left,
      rate: minutes > 0 ? Math.round(counts.settled / minutes) : 0,
      note,
    };
    if (!drawn) bar.start(counts.total, counts.settled, payload);
    drawn = true;
    bar.setTotal(counts.total);
    bar.update(counts.settled, payload);
  };
  const remaining = () => {
    const slowest = Math.max(
      0,
      ...Object.values(environments).map((environment) =>
        estimatedMs(Math.max(0, counts.total - counts.settled), environment),
      ),
    );
    return `about ${inWords(slowest)} left`;
  };

  return {
    onStage(event) {
      switch (event.kind) {
        case 'drop':
          return say(`Reading ${event.source}/${event.file}\n`);
        case 'rows':
          return staging.show(event.rows, event.expectedRows);
        case 'published': {
          const { staged, amended, duplicate, skipped, invalid } = event.dispositions;
          return say(
            `  ${staged + amended} to deliver, ${duplicate} duplicate, ${skipped} skipped, ${invalid} invalid\n`,
          );
        }
        case 'repeated':
          return say('  the same bytes came in before: nothing new\n');
        case 'refused':
          return say(`  set aside: ${event.sentence}\n`);
        case 'left':
          return say(`Left in the inbox of ${event.source}: ${event.file} ${event.reason}\n`);
        case 'queued':
          return say(`Process ${event.pid} is staging; waiting for it.\n`);
      }
    },
    onPush(event) {
      const environment = environments[event.environment];
      switch (event.kind) {
        case 'begin':
          counts.total += event.waiting;
          if (event.waiting > 0 && environment) {
            const { requests, per } = environment.quota;
            say(
              `Delivering ${event.waiting} to ${event.environment} at ${requests} per ${inWords(per)}: about ${inWords(estimatedMs(event.waiting, environment))}\n`,
            );
          }
          return;
        case 'answered':
          if (event.state === 'accepted') counts.accepted += 1;
          if (event.state === 'rejected' || event.state === 'failed') counts.refused += 1;
          if (event.state !== null && event.state !== 'waiting') counts.settled += 1;
          return draw(remaining());
        case 'paused':
          return draw(`paused ${inWords(event.forMs)}: ${event.reason}`);
        case 'canary':
          return say(
            `${event.refused} of the first ${event.answered} rows of drop ${event.dropId} were refused: the rest of it is held.\n`,
          );
        case 'noticed':
          return say(`Noticed: ${noticeWords(event.environment, event.notice).message}.\n`);
        case 'usable':
          return say(`Environment ${event.environment} can be used again.\n`);
        case 'queued':
          return say(
            `Process ${event.pid} delivers another rerun to ${event.environment}; waiting for it.\n`,
          );
        case 'end':
          return;
      }
    },
    end() {
      staging.hide();
      if (drawn) bar.stop();
      drawn = false;
    },
  };
}
