import type { ActionContext } from '../actions/context.js';
import { report } from '../actions/report.js';
import type { RunResult } from '../actions/run/envelope.js';
import type { RunWatch } from '../actions/run/request.js';
import { carryOut as run } from '../actions/run.js';
import type { ScheduleConfig } from '../config/schema.js';
import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';

/** The span of time that a scheduled report covers. */
const REPORTED_MS = 86_400_000;

/** An item of a schedule's entry that was carried out. */
export type Performed =
  | { readonly kind: 'run'; readonly result: RunResult }
  /** A report about what came in from the ISO time `since` on. */
  | { readonly kind: 'report'; readonly folder: string | null; readonly since: string };

/** Carries out the items of a schedule's entry, one after another. @param done is called with each. */
export async function performEntry(
  context: ActionContext,
  entry: ScheduleConfig,
  who: Decider,
  watch: RunWatch,
  done: (performed: Performed) => void,
): Promise<void> {
  for (const what of entry.do) {
    if (what === 'run') {
      const { sources } = entry;
      const request = { sources, confirmed: [], intake: true, push: true, maxDurationMs: null };
      done({ kind: 'run', result: await run(context, { trigger: 'cron', ...request }, who, watch) });
    } else {
      const since = isoFromMs(context.clock.nowMs() - REPORTED_MS);
      const { kept } = await report(context, { selection: { since }, inboxes: true });
      done({ kind: 'report', folder: kept?.folder ?? null, since });
    }
  }
}
