import { STATUS_LANGUAGES } from './status-languages.js';
import { trimText } from './trim-text.js';

/**
 * What a status means for delivery. `exempt`: nothing was completed and nothing is owed. `equivalent`: something else
 * was completed instead. For both, a policy decides.
 */
export type StatusMeaning = 'completed' | 'not-completed' | 'exempt' | 'equivalent';

/** A status word in the form that is compared: NFKC, lower case, single spaces for dashes and underscores. */
export function statusKey(text: string): string {
  return trimText(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_–—-]+/g, ' '),
  );
}

const COMPLETED: readonly string[] = [
  // English, as vendors write it.
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
  // German
  'abgeschlossen',
  'bestanden',
  'erledigt',
  'absolviert',
  'teilgenommen',
  'ja',
  // French
  'terminé',
  'terminée',
  'réussi',
  'réussie',
  'achevé',
  'achevée',
  'complété',
  'complétée',
  'oui',
  // Spanish
  'completado',
  'completada',
  'aprobado',
  'aprobada',
  'finalizado',
  'finalizada',
  'terminado',
  'terminada',
  'sí',
];

const NOT_COMPLETED: readonly string[] = [
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
  'not present',
  'no show',
  'no',
  'n',
  'false',
  '0',
  // German
  'in bearbeitung',
  'begonnen',
  'gestartet',
  'nicht begonnen',
  'nicht gestartet',
  'nicht abgeschlossen',
  'nicht bestanden',
  'nicht teilgenommen',
  'angemeldet',
  'eingeschrieben',
  'abgemeldet',
  'storniert',
  'abgebrochen',
  'ausstehend',
  'überfällig',
  'offen',
  'nein',
  // French
  'en cours',
  'commencé',
  'commencée',
  'non commencé',
  'non commencée',
  'pas commencé',
  'pas commencée',
  'non terminé',
  'non terminée',
  'inscrit',
  'inscrite',
  'annulé',
  'annulée',
  'abandonné',
  'abandonnée',
  'échoué',
  'échouée',
  'échec',
  'en retard',
  'en attente',
  'non',
  // Spanish; "no" is the English word too.
  'en progreso',
  'en curso',
  'iniciado',
  'iniciada',
  'no iniciado',
  'no iniciada',
  'sin iniciar',
  'no completado',
  'no completada',
  'incompleto',
  'incompleta',
  'inscrito',
  'cancelado',
  'cancelada',
  'reprobado',
  'reprobada',
  'no aprobado',
  'no aprobada',
  'pendiente',
];

const EXEMPT: readonly string[] = [
  'exempt',
  'exempted',
  'exemption',
  'waived',
  'waiver',
  'expired',
  'befreit',
  'abgelaufen',
  'exempté',
  'exemptée',
  'expiré',
  'expirée',
  'exento',
  'exenta',
  'caducado',
  'caducada',
];

const EQUIVALENT: readonly string[] = [
  'equivalent',
  'equivalency',
  'gleichwertig',
  'équivalent',
  'équivalence',
  'equivalente',
];

/** The words that vendors' exports use, keyed by `statusKey`. A source's own words come on top. */
export const STATUS_WORDS: ReadonlyMap<string, StatusMeaning> = new Map([
  ...COMPLETED.map((word) => [statusKey(word), 'completed'] as const),
  ...NOT_COMPLETED.map((word) => [statusKey(word), 'not-completed'] as const),
  ...EXEMPT.map((word) => [statusKey(word), 'exempt'] as const),
  ...EQUIVALENT.map((word) => [statusKey(word), 'equivalent'] as const),
  ...STATUS_LANGUAGES.flatMap(([meaning, words]) => words.map((word) => [statusKey(word), meaning] as const)),
]);
