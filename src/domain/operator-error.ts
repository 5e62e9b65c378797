/** How the process ends: the first that applies. A test compares the reference's table with this list. */
export const EXIT_CODES = [
  { code: 70, name: 'bug', meaning: 'a bug in Registrar; the ledger is consistent' },
  { code: 74, name: 'io', meaning: 'disk or database I/O failed' },
  { code: 2, name: 'usage', meaning: 'wrong usage or configuration' },
  { code: 3, name: 'unbalanced', meaning: "the books don't balance" },
  { code: 130, name: 'interrupted', meaning: 'interrupted by Ctrl-C; nothing is half done' },
  { code: 143, name: 'terminated', meaning: 'terminated by SIGTERM; nothing is half done' },
  { code: 4, name: 'unavailable', meaning: 'platform or credentials unavailable; rows still wait' },
  { code: 1, name: 'attention', meaning: 'rows of this run, or a file, need attention' },
  {
    code: 0,
    name: 'done',
    meaning: 'done, nothing to do, --max-duration reached, or another run delivers the rows',
  },
] as const;

export type ExitName = (typeof EXIT_CODES)[number]['name'];

export function exitCode(name: ExitName): number {
  return (EXIT_CODES.find((entry) => entry.name === name) as { code: number }).code;
}

/** The first of these in the order of `EXIT_CODES`; done where none is given. */
export function worstExit(names: readonly ExitName[]): ExitName {
  return EXIT_CODES.find((entry) => names.includes(entry.name))?.name ?? 'done';
}

/** `busy`: another process is in the way. `key-…`: the `Idempotency-Key` is in work, or another request's. */
export type RefusalReason = 'not-found' | 'invalid' | 'busy' | 'key-in-work' | 'key-reused';

/** A problem that an operator can solve, in one sentence without a secret or a learner's data. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly operation: string;
  readonly subject: string;
  /** What to do now, a plain sentence; '' when the message says it. */
  readonly hint: string;
  readonly exit: ExitName;
  /** null: the present state doesn't allow it, or its `exit` says more. */
  readonly reason: RefusalReason | null;

  constructor(details: {
    operation: string;
    subject: string;
    message: string;
    hint?: string;
    exit?: ExitName;
    reason?: RefusalReason | null;
    cause?: unknown;
  }) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.operation = details.operation;
    this.subject = details.subject;
    this.hint = details.hint ?? '';
    this.exit = details.exit ?? 'usage';
    this.reason = details.reason ?? null;
  }
}

export function errorsOf(operation: string) {
  return (
    subject: string,
    message: string,
    hint: string,
    more: { readonly exit?: ExitName; readonly reason?: RefusalReason | null; readonly cause?: unknown } = {},
  ) => new OperatorError({ operation, subject, message, hint, ...more });
}

/** A message and what to do about it, as sentences; the message alone where there is nothing to do. */
export function withHint(message: string, hint: string): string {
  return hint === '' ? message : `${message}. ${hint}`.replace(/([.!?])\. /, '$1 ');
}
