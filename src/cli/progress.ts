import { Presets, SingleBar } from 'cli-progress';
import type { Logger } from 'pino';
import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import { visibleStrings } from '../domain/visible-text.js';
import type { PushListener } from '../push/push-event.js';
import { clip } from '../report/clip.js';
import { estimatedMs, inWords } from '../report/estimate.js';
import { noticeWords } from '../report/notice-words.js';
import type { StageListener } from '../staging/stage-event.js';
import type { CommonOptions, Io } from './io.js';
import { createPauseLog } from './pause-log.js';
import { columnsOf } from './screen.js';
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

/** What stands beside the bar. */
export interface ProgressNumbers {
  readonly total: number;
  readonly settled: number;
  readonly accepted: number;
  readonly refused: number;
  readonly left: number;
  /** Rows a minute. */
  readonly rate: number;
  /** How long it still takes, or why nothing goes on. */
  readonly note: string;
}

/** So many characters of the line are the bar. */
const BAR_COLUMNS = 16;

/** The line beside the bar in as many words as fit: the note goes last, since it is what people wait for. */
export function progressLine(numbers: ProgressNumbers, columns: number): string {
  const { total, settled, accepted, refused, left, rate, note } = numbers;
  const lines = [
    `${settled} of ${total} done | accepted ${accepted} | refused ${refused} | left ${left} | ${rate}/min | ${note}`,
    `${settled}/${total} | ${accepted} accepted | ${refused} refused | ${rate}/min | ${note}`,
    `${settled}/${total} | ${refused} refused | ${rate}/min | ${note}`,
    `${settled}/${total} | ${refused} refused | ${note}`,
    `${settled}/${total} | ${note}`,
  ];
  return lines.find((line) => line.length <= columns) ?? clip(lines.at(-1) ?? '', columns - 1);
}

function terminalProgress(
  io: Io,
  environments: Readonly<Record<string, EnvironmentConfig>>,
  clock: Clock,
): Progress {
  const bar = new SingleBar(
    {
      format: '{bar} {line}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      forceRedraw: true,
      // The text matters more than the bar.
      barsize: BAR_COLUMNS,
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
    const rate = minutes > 0 ? Math.round(counts.settled / minutes) : 0;
    const room = columnsOf(process.stderr) - BAR_COLUMNS - 2;
    const payload = { line: progressLine({ ...counts, left, rate, note }, room) };
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
    onStage(happened) {
      const event = visibleStrings(happened);
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
    onPush(happened) {
      const event = visibleStrings(happened);
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
