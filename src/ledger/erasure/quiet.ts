import { type ExitName, OperatorError } from '../../domain/operator-error.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { stagingDrop } from '../drops/drops.js';
import type { Ledger } from '../store/query.js';
import type { Person } from './person.js';

/**
 * Throws OperatorError where something is half staged or under way: it would bring the person back.
 * @param asked what to say of it: what to do now, and how a process ends that can't.
 */
export async function requireQuiet(
  ledger: Ledger,
  { submissions }: Person,
  asked: { readonly hint: string; readonly exit: ExitName },
): Promise<void> {
  const underWay = submissions.filter(({ state }) => state === 'sending').length;
  const rows = `${countOf(underWay, 'row')} about the person ${agreeing(underWay, 'is', 'are')} under way`;
  const message = (await stagingDrop(ledger)) !== null ? 'a file is half staged' : underWay > 0 ? rows : null;
  if (message === null) return;
  throw new OperatorError({ operation: 'forget a learner', subject: 'the ledger', message, ...asked });
}
