import { type ExitName, OperatorError } from '../../domain/operator-error.js';
import { ioHint } from '../../domain/process/io-hints.js';

export const CHECKS = [
  'node',
  'configuration',
  'folder',
  'health',
  'inbox',
  'key',
  'remote',
  'results',
  'ledger',
  'clock',
  'lease',
  'work',
  'archive',
  'disk',
  'connection',
  'token',
] as const;

/** One result of doctor. Never personal or secret. */
export interface Finding {
  readonly check: (typeof CHECKS)[number];
  readonly subject: string;
  /** `attention`: it works, but needs attention. `broken`: it doesn't work. */
  readonly verdict: 'ok' | 'attention' | 'broken';
  readonly message: string;
  /** '' if there is nothing to do. */
  readonly remedy: string;
  /** The exit code if it is broken. */
  readonly exit: ExitName;
}

/** Creates the findings of one check. @param exit the exit code if one is broken. */
export function findings(check: Finding['check'], exit: ExitName) {
  const finding = (
    verdict: Finding['verdict'],
    about: Pick<Finding, 'subject' | 'message'> & Partial<Finding>,
  ): Finding => ({ check, verdict, remedy: '', exit: 'done', ...about });
  return {
    ok: (subject: string, message: string) => finding('ok', { subject, message }),
    attention: (subject: string, message: string, remedy: string) =>
      finding('attention', { subject, message, remedy }),
    broken: (subject: string, message: string, remedy: string, as: ExitName = exit) =>
      finding('broken', { subject, message, remedy, exit: as }),
  };
}

/** The finding for a ledger error. Rethrows bugs. */
export function brokenBy(error: unknown, path: string): Finding {
  const { broken } = findings('ledger', 'io');
  if (error instanceof OperatorError) return broken(error.subject, error.message, error.hint);
  const hint = ioHint(error);
  if (hint === null) throw error;
  return broken(path, `can't be used: ${(error as Error).message}`, hint);
}
