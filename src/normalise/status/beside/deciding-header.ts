import { normaliseHeader } from '../../header/header-text.js';

/**
 * What a column beside the status says about its rows. `progress`: how much of the course is done, as a share. `flag`: yes where
 * the row doesn't count (withdrawn, revoked, deleted, a test). `certificate`: the state of the certificate. `outcome`: a word or a
 * yes for those who have passed or attended.
 */
export type DecidingKind = 'progress' | 'flag' | 'certificate' | 'outcome';

/**
 * The kind of column that a header names, word by word: a word that none of the lists has makes it another column ("Progress
 * notes", "User deleted", "Test result sent"). null: it names none. "% Marked Completed" is none: learners mark and unmark
 * lessons, and it falls again when a course grows.
 */
export function decidingKind(header: string): DecidingKind | null {
  const words = wordsOf(header);
  const own = words.filter((word) => !FILLERS.has(word));
  if (own.length === 0) return null;
  if (own.every(isIn(PROGRESS, SHARE, DONE, ABOUT)) && isShare(own)) return 'progress';
  if (own.some(isIn(CERTIFICATE))) {
    if (own.every(isIn(CERTIFICATE, STATE))) return own.some(isIn(STATE)) ? 'certificate' : null;
    return own.every(isIn(CERTIFICATE, VOID)) ? 'flag' : null;
  }
  if (own.includes('test') && words.some(isIn(TEST_MARK))) {
    return own.every((word) => word === 'test' || TEST_MARK.has(word)) ? 'flag' : null;
  }
  if (own.some(isIn(VOID))) return own.every(isIn(VOID, RECORD)) ? 'flag' : null;
  const rest = own.filter((word) => !ABOUT.has(word));
  return rest.some(isIn(OUTCOME)) && rest.every(isIn(OUTCOME, STATE)) ? 'outcome' : null;
}

/** True for words that name a progress, or the share of what is done. */
function isShare(words: readonly string[]): boolean {
  return words.some(isIn(PROGRESS)) || (words.some(isIn(SHARE)) && words.some(isIn(DONE)));
}

function isIn(...sets: readonly ReadonlySet<string>[]): (word: string) => boolean {
  return (word) => sets.some((set) => set.has(word));
}

/** The words of a header in lower case: "IsTest", "is_test" and "Is test?" are the same two. */
function wordsOf(header: string): readonly string[] {
  const parted = header.slice(0, LONGEST_HEADER).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const words =
    normaliseHeader(parted)
      .text.replaceAll('%', ' % ')
      .match(/[\p{L}\p{M}\p{N}%]+/gu) ?? [];
  return words.flatMap((word) => {
    const [, is = '', rest = ''] = /^(is)(.+)$/.exec(word) ?? [];
    return VOID.has(rest) || rest === 'test' ? [is, rest] : [word];
  });
}

/** A longer text is a title or a note. */
const LONGEST_HEADER = 80;

function list(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Words that change nothing: "Is revoked? (Y/N)". */
const FILLERS = list(
  'is was has been flag indicator ind yn y n yes no 1 0 true false ja nein oui non sí si of the de del du della der die das',
);

/** A flag is about the row: a user or a course that was deleted says nothing about a completion. */
const RECORD = list('record row entry completion enrollment enrolment registration transcript');
/** A progress or an outcome is the learner's in the course. */
const ABOUT = new Set([
  ...RECORD,
  ...list(
    'training course learning learner student overall total current final assessment exam kurs schulung cours formation curso corso formazione',
  ),
]);

const PROGRESS = list(
  'progress fortschritt lernfortschritt kursfortschritt progression avancement progrès progreso avance progresso avanzamento voortgang framsteg postęp 進捗 進捗率 进度 學習進度 学习进度 진도 진도율',
);
const SHARE = list('% percent percentage pct rate prozent pourcentage porcentaje porcentagem percentuale');
const DONE = list(
  'complete completed completion abschluss abgeschlossen achèvement achevé terminé completado finalizado finalización concluído conclusão completamento completato voltooid afgerond',
);

const CERTIFICATE = list(
  'certificate certification cert credential zertifikat zertifikats zertifikatsstatus certificat certificado certificación certificato certificaat',
);
const STATE = list('status state zertifikatsstatus zustand statut état estado stato');

const VOID = list(
  'withdrawn withdrew revoked void voided deleted cancelled canceled annulled nullified invalidated rescinded retracted zurückgezogen widerrufen gelöscht storniert annulliert ungültig retiré révoqué supprimé annulé retirado revocado eliminado anulado cancelado revogado excluído revocato eliminato annullato ingetrokken verwijderd geannuleerd 削除 取消 取り消し 無効',
);
/** "Is test", "Test record", "Test data": "Test" alone may be an exam. */
const TEST_MARK = list('is record row entry data flag');

const OUTCOME = list(
  'outcome outcomes verdict result passed pass failed success attendance attended present absent ergebnis bestanden teilgenommen teilnahme anwesend anwesenheit durchgefallen résultat réussi présence présent resultado aprobado asistencia aprovado presença esito superato presenza resultaat uitslag geslaagd aanwezig 結果 合否 合格 出席',
);
