import type { QueryName, QueryRequest } from '../../actions/browse/queries.js';
import type { Person } from '../../domain/access/role.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { maskAddresses, maskQuoted } from '../../report/words/mask.js';
import { masked } from '../../report/words/masked.js';
import type { RunQuery } from '../queries/query-pool.js';
import type { ConsoleContext } from '../work/console-context.js';

/** What viewers see is made of these: counts and causes, no rows. */
const OF_VIEWERS: ReadonlySet<QueryName> = new Set<QueryName>([
  ...(['overview', 'alerts', 'causes', 'openRows', 'files', 'file', 'inboxes', 'runs', 'run'] as const),
  ...(['reportFacts', 'schedule', 'doctor', 'versions', 'pulse'] as const),
  ...(['statusDocument', 'healthDocument', 'reportDocument'] as const),
]);

/** A viewer's answers and failures hold no personal data, and none can be found by it: this is the only place where they are masked. */
export function contextFor({ role }: Person, context: ConsoleContext): ConsoleContext {
  if (role !== 'viewer') return context;
  const query = async <Name extends QueryName>(name: Name, request: QueryRequest<Name>) => {
    if (!OF_VIEWERS.has(name)) throw refused('rows', 'a viewer sees counts and causes, not rows');
    refuseFinding(request);
    try {
      return masked(await context.query(name, request));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const { operation, subject, message, hint, exit } = error;
      throw errorsOf(operation)(maskAddresses(subject), maskQuoted(message), maskQuoted(hint), { exit });
    }
  };
  return { ...context, query: query as RunQuery };
}

/** Refuses a search by what a viewer gets masked: a part of a file's name, or an address anywhere. */
function refuseFinding(request: unknown, member = ''): void {
  if (typeof request === 'object' && request !== null) {
    for (const [key, value] of Object.entries(request)) refuseFinding(value, key);
  }
  if (typeof request !== 'string') return;
  const isFinder = member === 'name' && request.trim() !== '';
  if (isFinder || maskAddresses(request) !== request)
    throw refused(member, 'a viewer can’t search by names of files and e-mail addresses');
}

function refused(subject: string, message: string): OperatorError {
  return errorsOf('read the ledger')(subject, message, 'Contact an operator or an auditor.');
}
