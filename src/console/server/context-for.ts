import type { QueryName, QueryRequest } from '../../actions/browse/queries.js';
import type { Person } from '../../domain/access/role.js';
import { OperatorError } from '../../domain/operator-error.js';
import { maskAddresses, maskQuoted } from '../../report/words/mask.js';
import { masked } from '../../report/words/masked.js';
import type { RunQuery } from '../queries/queries.js';
import type { ConsoleContext } from '../work/console-context.js';

/**
 * The context of a person. A viewer's answers and failures hold no personal data, and none can be found by it: this is the only place where
 * they are masked.
 */
export function contextFor({ role }: Person, context: ConsoleContext): ConsoleContext {
  if (role !== 'viewer') return context;
  const query = async <Name extends QueryName>(name: Name, request: QueryRequest<Name>) => {
    refuseFinding(request);
    try {
      return masked(await context.query(name, request));
    } catch (error) {
      throw error instanceof OperatorError ? maskedError(error) : error;
    }
  };
  return { ...context, query: query as RunQuery };
}

/** Members of requests that find rows, learners or files by texts that a viewer gets masked. */
const FINDERS = ['learner', 'content', 'named', 'search', 'name'];

function refuseFinding(request: unknown, member = ''): void {
  if (typeof request === 'object' && request !== null) {
    for (const [key, value] of Object.entries(request)) refuseFinding(value, key);
  }
  if (typeof request !== 'string') return;
  const isFinder = FINDERS.includes(member) && request.trim() !== '';
  if (!isFinder && maskAddresses(request) === request) return;
  throw new OperatorError({
    operation: 'read the ledger',
    subject: member,
    message:
      'a viewer can’t search by what may be personal: learners, contents, names of files, cells and e-mail addresses',
    hint: 'Select by cause, state, source or run, or contact an operator or an auditor.',
  });
}

function maskedError({ operation, subject, message, hint, exit }: OperatorError): OperatorError {
  return new OperatorError({
    operation,
    subject: maskAddresses(subject),
    message: maskQuoted(message),
    hint: maskQuoted(hint),
    exit,
  });
}
