import { type ExitName, OperatorError } from '../../domain/operator-error.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { unfinishedDrops } from '../drops/drops.js';
import type { Ledger } from '../store/query.js';
import type { Person } from './person.js';

/**
 * Throws OperatorError while a file is half staged or a row about the person is under way: either would bring the person back.
 * @param asked the error's hint, which says what to do now, and the exit of a process that can't do it.
 */
export async function requireQuiet(
  ledger: Ledger,
  { submissions }: Person,
  asked: { readonly hint: string; readonly exit: ExitName },
): Promise<void> {
  const underWay = submissions.filter(({ state }) => state === 'sending').length;
  const rows = `${countOf(underWay, 'row')} about the person ${agreeing(underWay, 'is', 'are')} under way`;
  const message =
    (await unfinishedDrops(ledger)).length > 0 ? 'a file is half staged' : underWay > 0 ? rows : null;
  if (message === null) return;
  throw new OperatorError({ operation: 'forget a learner', subject: 'the ledger', message, ...asked });
}
