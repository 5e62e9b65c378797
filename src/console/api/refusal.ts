import { OperatorError } from '../../domain/operator-error.js';
import { UploadRefusal } from '../server/bodies/reception.js';

/** Statuses of answers that say why something was not done. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** A request that is refused, with the status that says so. */
export class ApiRefusal extends OperatorError {
  readonly status: RefusalStatus;
  /** Everything that is wrong with the request; empty: the message says it. */
  readonly mistakes: readonly string[];

  constructor(
    status: RefusalStatus,
    details: Omit<ConstructorParameters<typeof OperatorError>[0], 'exit'>,
    mistakes: readonly string[] = [],
  ) {
    super(details);
    this.status = status;
    this.mistakes = mistakes;
  }
}

/** Why a request failed, as the command line's `--json` says it, with `mistakes` where there are several; a bug keeps its details to itself. */
export function refusalOf(error: unknown): {
  readonly status: RefusalStatus;
  readonly document: RefusalDocument;
} {
  if (!(error instanceof OperatorError)) return { status: 500, document: { error: BUG } };
  const { operation, subject, message, hint, exit } = error;
  const mistakes =
    error instanceof ApiRefusal && error.mistakes.length > 0 ? { mistakes: error.mistakes } : {};
  return {
    status: statusOf(error),
    document: { error: { operation, subject, message, hint, exit, ...mistakes } },
  };
}

interface RefusalDocument {
  readonly error: Readonly<Record<string, unknown>>;
}

function statusOf(error: OperatorError): RefusalStatus {
  if (error instanceof ApiRefusal || error instanceof UploadRefusal) return error.status;
  if (error.exit === 'bug') return 500;
  return error.exit === 'io' || error.exit === 'unavailable' ? 503 : 409;
}

const BUG = {
  operation: 'answer the request',
  subject: '',
  message: 'it is a fault of the program, not yours; see its log',
  hint: 'Nothing is half done.',
  exit: 'bug',
};
