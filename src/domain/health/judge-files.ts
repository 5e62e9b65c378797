import { isoFromMs, msFromIso } from '../clock.js';
import { agreeing, countOf } from '../text/count-of.js';
import { type Fault, finding, type HealthFinding } from './health.js';

/** A watched inbox is emptied within seconds, also while a large file is imported. */
const WATCHED_WAIT_MS = 15 * 60_000;

/** Where runs are started by cron: a day, and time for the run itself. */
const UNWATCHED_WAIT_MS = 26 * 3_600_000;

/** A service resumes an import within seconds of its start. */
const RESUME_MS = 60_000;

export interface InboxFacts {
  readonly source: string;
  /** Why it can't be read; null: it can. */
  readonly fault: Fault | null;
  /** That no source takes, unreadable ones included. */
  readonly unmatched: number;
  /** ISO times of files that a run would import. */
  readonly arrivedAt: readonly string[];
  /** ISO times of files whose import was interrupted. */
  readonly claimedAt: readonly string[];
}

/** @param isWatched a service is running. @param lastAliveAt when a run last ended or a service was last seen; null: never. */
export function* inboxFindings(
  { source, fault, unmatched, arrivedAt, claimedAt }: InboxFacts,
  nowMs: number,
  isWatched: boolean,
  lastAliveAt: string | null,
): Generator<HealthFinding> {
  const waitMs = isWatched ? WATCHED_WAIT_MS : UNWATCHED_WAIT_MS;
  // A process that imports was alive after these files arrived, and should have imported them.
  const lastAliveMs = isWatched || lastAliveAt === null ? 0 : msFromIso(lastAliveAt) - WATCHED_WAIT_MS;
  const late = arrivedAt.filter((at) => msFromIso(at) < Math.max(nowMs - waitMs, lastAliveMs)).sort();
  const resumedMs = isWatched ? RESUME_MS : 0;
  const interrupted = claimedAt.filter((at) => msFromIso(at) <= nowMs - resumedMs).sort();
  if (fault !== null) yield finding('inbox', source, 'failed', { ...fault, exit: 'io' });
  if (late.length > 0)
    yield finding('file', source, 'degraded', {
      code: 'file-waiting',
      since: late[0],
      message: `${countOf(late.length, 'file')} of source ${source} ${agreeing(late.length, 'has', 'have')} waited too long in the inbox.`,
      remedy: 'Start registrar run, then read its report.',
    });
  if (interrupted.length > 0)
    yield finding('file', source, 'degraded', {
      code: 'file-interrupted',
      since: interrupted[0],
      message: `The import of ${countOf(interrupted.length, 'file')} of source ${source} was interrupted.`,
      remedy: 'The next registrar run, or a service, resumes it: start one.',
    });
  if (unmatched > 0)
    yield finding('file', source, 'degraded', {
      code: 'file-unmatched',
      message: `${countOf(unmatched, 'file')} in the inbox of source ${source} can't be imported as ${agreeing(unmatched, 'it is', 'they are')}.`,
      remedy: 'See registrar status for each file and what to do.',
    });
}

interface SourceFacts {
  /** `since`: import time of the oldest open one. */
  readonly refused:
    | { readonly since: string; readonly files: number; readonly codes: readonly string[] }
    | undefined;
  /** In milliseconds since 1970; `latestMs`: when the latest one arrived; null: none is missing. */
  readonly missing: { readonly expectedByMs: number; readonly latestMs: number | null } | null;
  /** `error`: why they can't be delivered, as a sentence without its full stop. */
  readonly results:
    | {
        readonly since: string | null;
        readonly failing: number;
        readonly place: string;
        readonly error: string | null;
      }
    | undefined;
}

/** Files of a source that were refused or didn't come, and results that can't be delivered to its sender. */
export function* sourceFindings(
  source: string,
  { refused, missing, results }: SourceFacts,
): Generator<HealthFinding> {
  if (refused !== undefined)
    yield finding('file', source, 'degraded', {
      code: 'file-refused',
      since: refused.since,
      message: `${countOf(refused.files, 'file')} of source ${source} ${agreeing(refused.files, 'was', 'were')} refused (${refused.codes.join(', ')}): none of ${agreeing(refused.files, 'its', 'their')} rows were imported.`,
      remedy:
        'See registrar status for each file, the reason and what to do; the reason is also in rejected/, beside the file.',
    });
  if (missing !== null)
    yield finding('file', source, 'degraded', {
      code: 'file-late',
      since: isoFromMs(missing.expectedByMs),
      lastGoodAt: missing.latestMs === null ? null : isoFromMs(missing.latestMs),
      message: `The file that source ${source} should have sent has not arrived.`,
      remedy: 'Ask the sender whether the export ran, and check that its folder can be reached.',
    });
  if (results?.since != null && results.error !== null)
    yield finding('file', source, 'degraded', {
      code: 'results-waiting',
      since: results.since,
      message: `${countOf(results.failing, 'result')} of source ${source} ${agreeing(results.failing, 'waits', 'wait')} for ${results.place}: ${results.error}.`,
      remedy: `Registrar tries again by itself. registrar source test ${source} says whether it works.`,
    });
}
