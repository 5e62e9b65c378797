import type { Decider } from '../domain/decider.js';
import { errorsOf } from '../domain/operator-error.js';
import { recordEvent } from '../ledger/access/audit-log.js';
import { readState } from '../ledger/books/state/read-state.js';
import { openCauses } from '../report/open-causes.js';
import type { ActionContext } from './context.js';

export interface Assignment {
  readonly cause: string;
  /** The name of a person; '' unassigns. */
  readonly person: string;
  /** '' for none. */
  readonly comment: string;
}

const LONGEST = { person: 200, comment: 1_000 };

/** Assigns a cause to a person, until it is assigned again. Throws OperatorError where no row needs attention for it. */
export async function assignCause(
  { ledger }: Pick<ActionContext, 'ledger'>,
  { cause, person, comment }: Assignment,
  who: Decider,
): Promise<void> {
  const { causes } = openCauses(await readState(ledger, ['causes', 'refusedFiles']));
  if (!causes.some(({ code }) => code === cause)) {
    const message = `no row needs attention for ${cause === '' ? 'a cause without a name' : cause}`;
    const hint = 'Choose one of the causes that rows need attention for.';
    throw errorsOf('assign a cause')(cause, message, hint, { reason: 'not-found' });
  }
  await recordEvent(ledger, 'assign', who, {
    subject: cause,
    value: person.trim().slice(0, LONGEST.person),
    about: comment.trim().slice(0, LONGEST.comment),
  });
}
