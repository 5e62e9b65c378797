import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isoFromMs } from '../../domain/clock.js';
import { isResultDue } from '../../domain/files/result.js';
import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { retryWaitMs } from '../../domain/process/retry-wait.js';
import { openResultPlace, type ResultTarget, resultTargetOf } from '../../inbox/result-place.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import { recordResult } from '../../ledger/drops/results.js';
import { withLeases } from '../../ledger/leases/leases.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { WrittenResult } from '../../report/result/write-result.js';
import { makeFolder } from '../../workspace/files/entries.js';
import type { ActionContext } from '../context.js';

type OpenResult = PresentState['results'][number];

/** `backsOff`: one that failed waits before it is tried again, as in a service. */
type DeliveryContext = ActionContext & { readonly backsOff: boolean };

/**
 * Delivers the due results of all sources, side by side. Of several processes one delivers those of a source. Each is recorded once
 * all of it is at its target; a crash before that writes the same files again.
 * @returns why targets don't take theirs: these are kept, and tried again later, as notifications are.
 */
export async function deliverResults(
  context: ActionContext,
  stop: AbortSignal,
  { backsOff }: Pick<DeliveryContext, 'backsOff'>,
): Promise<readonly OperatorError[]> {
  const targets = context.config.sources.flatMap((source) => resultTargetOf(source) ?? []);
  if (targets.length === 0 || stop.aborted) return [];
  const { results } = await readState(context.ledger, ['results']);
  const delivery = { ...context, backsOff };
  const due = targets.filter((target) => dueFor(target, results, delivery).length > 0);
  return (await Promise.all(due.map((target) => deliverTo(target, delivery, stop)))).flat();
}

/** Those of a source that are due. One that its target doesn't take comes last, so that it holds up no other. */
function dueFor(
  { source, results: { withinMs } }: ResultTarget,
  results: readonly OpenResult[],
  { ledger, backsOff }: DeliveryContext,
): readonly OpenResult[] {
  const now = { nowMs: ledger.clock.nowMs(), withinMs, backsOff };
  return results
    .filter((result) => result.source === source.name && isResultDue(result, now))
    .sort((a, b) => a.tries - b.tries || a.drop - b.drop);
}

async function deliverTo(
  target: ResultTarget,
  context: DeliveryContext,
  outer: AbortSignal,
): Promise<readonly OperatorError[]> {
  const { ledger, paths } = context;
  const { name } = target.source;
  const delivered = await withLeases(ledger, [`result:${name}`], thisProcess(), null, async ({ lost }) => {
    // Another process may have delivered some before this one had the lease.
    const due = dueFor(target, (await readState(ledger, ['results'])).results, context);
    const folder = join(paths.processing, WORK_FOLDER, name);
    try {
      const stop = AbortSignal.any([outer, lost]);
      return await deliverAll(due, { ...context, target, folder, stop });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  return 'done' in delivered ? delivered.done : [];
}

/** No source has such a name. */
const WORK_FOLDER = '.results';

interface Delivery extends ActionContext {
  readonly target: ResultTarget;
  readonly folder: string;
  readonly stop: AbortSignal;
}

async function deliverAll(due: readonly OpenResult[], delivery: Delivery): Promise<readonly OperatorError[]> {
  const { ledger, config, folder, stop } = delivery;
  const { writeResult } = await import('../../report/result/write-result.js');
  const pending = [...due];
  let channel: Awaited<ReturnType<typeof openChannel>> | null = null;
  try {
    for (let [next] = pending; next !== undefined && !stop.aborted; [next] = pending) {
      channel ??= await openChannel(delivery);
      // A process that died may have left files.
      await rm(folder, { recursive: true, force: true });
      await makeFolder(folder);
      const result = await writeResult(ledger, next, folder, config);
      if (result !== null) {
        await channel.send(result);
        failpoint('result-put');
        await recordResult(ledger, [next.drop], { kind: 'delivered', dueAt: next.dueAt });
      }
      pending.shift();
    }
    return [];
  } catch (error) {
    // A connection that was closed because the work is to end is no fault.
    if (stop.aborted) return [];
    if (!(error instanceof OperatorError)) throw error;
    const drops = pending.map(({ drop }) => drop);
    const retryAt = isoFromMs(ledger.clock.nowMs() + retryWaitMs(pending[0]?.tries ?? 0));
    const failure = { error: error.message, retryAt };
    await recordResult(ledger, drops.slice(0, 1), { kind: 'failed', ...failure });
    await recordResult(ledger, drops.slice(1), {
      kind: channel === null ? 'failed' : 'postponed',
      ...failure,
    });
    return [error];
  } finally {
    channel?.close();
  }
}

/** Opens the way to the sender; `send` throws OperatorError. */
async function openChannel({ target, config, paths, clock, stop }: Delivery) {
  const { mail } = target.results;
  if (mail !== undefined) {
    const { mailResult } = await import('./mail-result.js');
    const send = (result: WrittenResult) => mailResult(result, mail, { target, config, clock, stop });
    return { send, close() {} };
  }
  const place = await openResultPlace(target, paths.root, stop);
  return {
    async send({ files }: WrittenResult) {
      for (const { path, name } of files) {
        await place.put(path, name);
        failpoint('result-file-put');
      }
    },
    close: () => place.close(),
  };
}
