import { trimText } from './trim-text.js';

/** What a status means for delivery. `exempt`: nothing was completed and nothing is owed; a policy decides. */
export type StatusMeaning = 'completed' | 'not-completed' | 'exempt';

/** A status word in the form that is compared: NFKC, lower case, single spaces for dashes and underscores. */
export function statusKey(text: string): string {
  return trimText(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_–—-]+/g, ' '),
  );
}

const COMPLETED = [
  'completed',
  'complete',
  'passed',
  'pass',
  'attended',
  'present',
  'achieved',
  'satisfied',
  'successful',
  'certified',
  'completed (equivalent)',
  'completed (achieved pass grade)',
  'course complete',
  'yes',
  'y',
  'true',
  '1',
  'done',
  'finished',
  'abgeschlossen',
  'bestanden',
  'terminé',
  'réussi',
  'completado',
  'aprobado',
];

const NOT_COMPLETED = [
  'in progress',
  'started',
  'not started',
  'registered',
  'enrolled',
  'assigned',
  'approved',
  'requested',
  'pending',
  'incomplete',
  'not complete',
  'not completed',
  'not attempted',
  'overdue',
  'past due',
  'waitlisted',
  'waiting',
  'overbooked',
  'subscribed',
  'suspended',
  'withdrawn',
  'cancelled',
  'canceled',
  'dropped',
  'unenrolled',
  'failed',
  'fail',
  'not passed',
  'no show',
  'no',
  'n',
  'false',
  '0',
];

const EXEMPT = [
  'exempt',
  'exempted',
  'exemption',
  'waived',
  'waiver',
  'equivalent',
  'equivalency',
  'expired',
];

/** The words that vendors' exports use, keyed by `statusKey`. A source's own words come on top. */
export const STATUS_WORDS: ReadonlyMap<string, StatusMeaning> = new Map([
  ...COMPLETED.map((word) => [statusKey(word), 'completed'] as const),
  ...NOT_COMPLETED.map((word) => [statusKey(word), 'not-completed'] as const),
  ...EXEMPT.map((word) => [statusKey(word), 'exempt'] as const),
]);
