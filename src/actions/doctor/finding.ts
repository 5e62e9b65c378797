import type { ExitName } from '../../domain/operator-error.js';

/** What doctor looks at, in its order. */
export const CHECKS = [
  'configuration',
  'folder',
  'inbox',
  'disk',
  'ledger',
  'clock',
  'lease',
  'work',
  'archive',
  'connection',
  'token',
] as const;

/** What doctor found out about one thing. Nothing of it is personal or secret. */
export interface Finding {
  readonly check: (typeof CHECKS)[number];
  /** Of what: a folder, an environment, a lease. */
  readonly subject: string;
  /** `attention`: it works, and somebody should see to it. `broken`: it doesn't. */
  readonly verdict: 'ok' | 'attention' | 'broken';
  readonly message: string;
  /** What to do now; '' where nothing is to be done. */
  readonly remedy: string;
  /** How the process ends where it is broken. */
  readonly exit: ExitName;
}

/** Makes findings of one kind of check. */
export function findings(check: Finding['check'], exit: ExitName) {
  return {
    ok: (subject: string, message: string): Finding => ({
      check,
      subject,
      verdict: 'ok',
      message,
      remedy: '',
      exit: 'done',
    }),
    attention: (subject: string, message: string, remedy: string): Finding => ({
      check,
      subject,
      verdict: 'attention',
      message,
      remedy,
      exit: 'done',
    }),
    broken: (subject: string, message: string, remedy: string, as: ExitName = exit): Finding => ({
      check,
      subject,
      verdict: 'broken',
      message,
      remedy,
      exit: as,
    }),
  };
}
