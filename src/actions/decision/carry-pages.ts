import { OperatorError } from '../../domain/operator-error.js';
import { inPages } from '../../ledger/pages.js';
import type { Ledger } from '../../ledger/query.js';

/**
 * Carries out the pages of a decision. Throws OperatorError where another process has taken over its leases meanwhile.
 * @param pages one transaction for each step. @param lost aborted once another process has one of the leases.
 */
export async function carryPages(ledger: Ledger, pages: Iterable<unknown>, lost: AbortSignal): Promise<void> {
  if (await inPages(ledger, pages, lost)) return;
  throw new OperatorError({
    operation: 'carry out a decision',
    subject: 'the ledger',
    message: 'another process has taken over what this one was at',
    hint: 'What is done stays done, and the next registrar run or decision carries out the rest.',
    exit: 'attention',
  });
}
