import type { SourceConfig } from '../../config/schema.js';
import { statusVocabulary } from '../values/status/status.js';
import { statusKey } from '../values/status/status-words.js';

/** What a word says about its row's learner. Loosely: only where it stands among other words of a status. */
export type WordKind =
  | 'completed'
  | 'against'
  | 'loosely completed'
  | 'loosely against'
  | 'yes'
  | 'no'
  | 'mark'
  | 'unknown';

/** The function that returns the kind of a word, by the vocabulary and by the source's own words. */
export function wordReader(own: SourceConfig['status']): (text: string) => WordKind {
  const vocabulary = statusVocabulary(own);
  const ownWords = new Set([...own.completed, ...own.notCompleted].map(statusKey));
  const meaningOf = (key: string): WordKind => {
    const meaning = vocabulary.get(key);
    if (meaning === undefined) return 'unknown';
    const counts = meaning === 'completed' || (meaning !== 'not-completed' && own[meaning] === 'completed');
    if (!ownWords.has(key) && LOOSE.has(key)) return counts ? 'loosely completed' : 'loosely against';
    return counts ? 'completed' : 'against';
  };
  return (text) => {
    const key = statusKey(text);
    if (YES.has(key)) return 'yes';
    if (NO.has(key)) return 'no';
    if (MARKS.has(key)) return 'mark';
    const kind = meaningOf(key);
    // "Failed (2nd attempt)", "Failed!"
    const bare = withoutRemark(key);
    return kind === 'unknown' && !YES.has(bare) && !NO.has(bare) ? meaningOf(bare) : kind;
  };
}

function withoutRemark(key: string): string {
  const bracket = key.indexOf('(');
  if (bracket >= 0 && key.endsWith(')')) return key.slice(0, bracket).replace(/ $/, '');
  return key.replace(/(?<![.!*])[.!*]+$/, '').replace(/ $/, '');
}

const YES = new Set(
  'yes y true 1 ja j wahr oui o vrai sí si s verdadero sim vero tak prawda ano да はい 是 예 evet'.split(' '),
);
const NO = new Set(
  'no n false 0 nein falsch non faux falso nee nej nei não nao nie fałsz ne нет いいえ 否 아니요 hayır ✗ ✘ ☐ ❌'.split(
    ' ',
  ),
);
const MARKS = new Set('x × ✓ ✔ ✔️ ☑ ✅ ●'.split(' '));

/** Said of requests, accounts, payments and certificates as often as of learning. */
const LOOSE: ReadonlySet<string> = new Set([
  'present',
  'satisfied',
  'successful',
  'certified',
  'done',
  'aprobado',
  'aprobada',
  'registered',
  'enrolled',
  'assigned',
  'approved',
  'requested',
  'pending',
  'overdue',
  'past due',
  'waiting',
  'subscribed',
  'suspended',
  'cancelled',
  'canceled',
  'started',
  'expired',
  'equivalent',
  'angemeldet',
  'eingeschrieben',
  'abgemeldet',
  'storniert',
  'ausstehend',
  'überfällig',
  'offen',
  'abgelaufen',
  'gleichwertig',
  'inscrit',
  'inscrite',
  'annulé',
  'annulée',
  'en retard',
  'en attente',
  'expiré',
  'expirée',
  'équivalent',
  'inscrito',
  'cancelado',
  'cancelada',
  'pendiente',
  'caducado',
  'caducada',
  'equivalente',
]);
