import type { SourceConfig } from '../../../config/schema.js';
import { statusKey } from '../../values/status/status-words.js';
import { statusHeader } from '../status-header.js';
import { type WordKind, wordReader } from '../word-kind.js';
import type { DecidingColumn } from './deciding-columns.js';

/** What a cell says about its row: that it counts, or nothing; that it doesn't; or what only a person knows. */
export type Verdict = 'counts' | 'against' | 'unclear';

/** The function that returns the verdict of a word in a column; the source's own words, and those that
 * the correction workbook asks for, go before all others. */
export function wordVerdicts(
  { kind, header }: DecidingColumn,
  own: SourceConfig['status'],
): (text: string) => Verdict {
  const counting = new Set(own.completed.map(statusKey));
  const against = new Set(own.notCompleted.map(statusKey));
  const kindOf = wordReader(own);
  const verdict = VERDICTS[kind](statusHeader(header));
  return (text) => {
    const key = statusKey(text);
    if (counting.has(key) || key === 'completed') return 'counts';
    if (against.has(key) || key === 'not completed') return 'against';
    return verdict(CROSSES.has(key) ? 'unknown' : kindOf(text), key);
  };
}

type WordVerdict = (word: WordKind, key: string) => Verdict;

const VERDICTS: Readonly<
  Record<DecidingColumn['kind'], (says: ReturnType<typeof statusHeader>) => WordVerdict>
> = {
  progress: () => (word) => OF_COMPLETION[word] ?? 'unclear',
  flag: () => (word, key) => {
    if (word === 'no' || UNTOUCHED.has(key)) return 'counts';
    return word === 'yes' || word === 'mark' || word === 'against' || VOID.has(key) ? 'against' : 'unclear';
  },
  certificate: () => (word, key) => {
    if (VOID.has(key)) return 'against';
    return word === 'completed' || word === 'loosely completed' || VALID.has(key) ? 'counts' : 'unclear';
  },
  outcome: (says) => (word, key) => {
    // A score, or the number of days attended.
    if (/^\d/.test(key) && (says === 'status' || word === 'unknown')) return 'counts';
    if (says === 'failing' && (word === 'yes' || word === 'mark')) return 'against';
    if (says === 'failing' && word === 'no') return 'counts';
    return GRADES.has(key) ? 'counts' : (OF_COMPLETION[word] ?? 'unclear');
  },
  state: () => (word) => (word === 'against' ? 'against' : 'counts'),
};

const OF_COMPLETION: Partial<Record<WordKind, Verdict>> = {
  completed: 'counts',
  'loosely completed': 'counts',
  yes: 'counts',
  mark: 'counts',
  against: 'against',
  no: 'against',
};

function list(words: string): ReadonlySet<string> {
  return new Set(words.split('|'));
}

/** A cross marks a box, or says no. */
const CROSSES = list('x|×');

const VOID = list(
  'withdrawn|withdrew|revoked|void|voided|deleted|cancelled|canceled|annulled|nullified|invalidated|invalid|rescinded|retracted|test|zurückgezogen|widerrufen|gelöscht|storniert|annulliert|ungültig|retiré|retirée|révoqué|révoquée|supprimé|supprimée|annulé|annulée|retirado|retirada|revocado|revocada|eliminado|eliminada|anulado|anulada|cancelado|cancelada|revogado|revogada|excluído|excluída|revocato|revocata|eliminato|annullato|annullata|ingetrokken|verwijderd|geannuleerd|取消|削除|無効',
);

/** In a column of flags. */
const UNTOUCHED = list(
  'not withdrawn|not revoked|not void|not voided|not deleted|not cancelled|none|active|valid|live|production',
);

/** A certificate that has run out was one: the course was completed. */
const VALID = list(
  'valid|active|current|issued|awarded|earned|granted|in force|renewed|expired|expiring|expiring soon|lapsed|due for renewal|gültig|aktiv|ausgestellt|abgelaufen|valide|actif|active|délivré|expiré|válido|vigente|activo|emitido|expedido|caducado|vencido|valido|attivo|scaduto|geldig|verlopen|有効|期限切れ',
);

/** Grades of those who have passed. */
const GRADES = list(
  'merit|distinction|credit|excellent|pass with merit|pass with distinction|passed with merit|passed with distinction|competent',
);
