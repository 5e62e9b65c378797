import { errorsOf } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { type NewDecision, openDecision } from '../../ledger/erasure/open-decision.js';
import { type HeldLeases, type LeaseName, withLeases } from '../../ledger/leases/leases.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import type { ActionContext } from '../context.js';
import { finishDecisions } from './finish.js';
import { type Decided, type DecisionHandler, runToCompletion } from './handler.js';

/**
 * Records a decision and carries it out, after those that dead processes have left. Throws OperatorError where a living process
 * is in the way; then nothing was done.
 */
export async function decide<Done>(
  context: ActionContext,
  handler: DecisionHandler<Done>,
  made: NewDecision,
  runId: number | null = null,
): Promise<Decided<Done>> {
  await finishDecisions(context, runId);
  return requireLeases(context, handler.leases(context), async (held) => {
    const decision = await openDecision(context.ledger, made);
    failpoint('decision-opened');
    // Where the decision needs no lease, another process may have carried it out already: then nothing is left to do.
    return runToCompletion(context, handler, decision, runId, held);
  });
}

/** Runs `perform` under the leases. Throws OperatorError that names the process holding one of them. */
export async function requireLeases<T>(
  { ledger }: Pick<ActionContext, 'ledger'>,
  names: readonly LeaseName[],
  perform: (held: HeldLeases) => Promise<T>,
): Promise<T> {
  const result = await withLeases(ledger, names, thisProcess(), null, perform);
  if ('done' in result) return result.done;
  const { name, holder } = result;
  const isStaging = name === 'stage';
  const work = isStaging ? 'staging' : `delivering to ${name.slice('push:'.length)}`;
  const how = ', or stop that process, even a service: waiting rows are delivered once it starts again';
  const hint = `Try again when it has ended${isStaging ? '' : how}. Nothing was changed.`;
  throw errorsOf('make a decision')('the ledger', `process ${holder.pid} is ${work}`, hint, {
    reason: 'busy',
  });
}
