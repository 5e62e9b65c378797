import type { Restaged } from '../../documents/decided.js';
import { OperatorError } from '../../domain/operator-error.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import { restageDrop } from '../../staging/restage/restage-drop.js';
import type { DecisionHandler } from '../decision/handler.js';
import { runSteps } from '../decision/run-steps.js';

/** How a drop's invalid rows are read again. */
export const restageHandler: DecisionHandler<Restaged> = {
  leases: () => ['stage'],
  async carryOut({ ledger, config }, { decisionId, selection }, runId, { lost }) {
    const [drop] = await publishedDrops(ledger, Number(selection.drop));
    if (drop === undefined) throw new Error(`decision ${decisionId} restages no published drop`);
    const source = config.sources.find(({ name }) => name === drop.source);
    if (source === undefined) throw sourceGone(decisionId, drop.file, drop.source);
    const carry = (pages: AsyncGenerator<void, void, undefined>) => runSteps(pages, lost);
    return restageDrop(ledger, drop, source, { decisionId, runId, carry });
  },
};

function sourceGone(decisionId: number, file: string, source: string): OperatorError {
  return new OperatorError({
    operation: 'restage a drop',
    subject: file,
    message: `decision ${decisionId} reads ${file} of source ${source} again and was interrupted, and registrar.yaml no longer has this source`,
    hint: 'Restore the source in registrar.yaml: the next registrar run or decision carries it out.',
    exit: 'attention',
  });
}
