import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { RecordedDecision } from '../../ledger/decisions/decision-log.js';
import { type InTheWay, type KeptLeases, type LeaseName, underLeases } from '../../ledger/leases/leases.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { ActionContext } from '../context.js';
import { carryToItsEnd, type Decided } from './carry-to-its-end.js';
import type { Deed } from './deed.js';
import { finishDecisions } from './finish.js';

/** How a person asked, for the sentence that says why it can't be done now. */
export interface Asked {
  /** `map a learner` */
  readonly operation: string;
  readonly subject: string;
}

/**
 * Records a decision and carries it out, after what processes that died have left of earlier ones. Throws OperatorError
 * where a process that lives is in the way; then nothing was done.
 * @param open records it, with all that carrying it out relies on, in one transaction.
 */
export async function decide<Done>(
  context: ActionContext,
  deed: Deed<Done>,
  open: () => Promise<RecordedDecision>,
  { asked, runId = null }: { readonly asked: Asked; readonly runId?: number | null },
): Promise<Decided<Done>> {
  await finishDecisions(context, runId);
  return requireLeases(context, deed.leases(context), asked, async (kept) => {
    const decision = await open();
    failpoint('decision-opened');
    // Another process may have carried it out already, where nothing is to be held for it: then nothing is left to do.
    return carryToItsEnd(context, deed, decision, runId, kept);
  });
}

/** Runs `work` under the leases. Throws OperatorError that says who holds one that can't be had. */
export async function requireLeases<T>(
  { ledger }: Pick<ActionContext, 'ledger'>,
  names: readonly LeaseName[],
  asked: Asked,
  work: (kept: KeptLeases) => Promise<T>,
): Promise<T> {
  const taken = await underLeases(ledger, names, thisProcess(), null, work);
  if ('done' in taken) return taken.done;
  throw new OperatorError({
    ...asked,
    message: inTheWay(taken),
    hint: 'Give the command again when it has ended. Nothing was changed.',
  });
}

function inTheWay({ name, holder }: InTheWay): string {
  const what = name === 'stage' ? 'staging' : `delivering to ${name.slice('push:'.length)}`;
  return `process ${holder.pid} is ${what}`;
}
