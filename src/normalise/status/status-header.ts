import { normaliseHeader } from '../header/header-text.js';

/**
 * The meaning of a header over a column of words. `completing`: who has passed, attended, finished. `failing`: the contrary, so
 * that yes is bad. `status`: a state or an outcome. `other`: plainly something else, such as an approval. null: none of these.
 */
export type StatusHeader = 'completing' | 'failing' | 'status' | 'other' | null;

/** Judges a header by its words, in the languages of exports. It is a hint: the column's values decide. */
export function statusHeader(header: string): StatusHeader {
  const { text } = normaliseHeader(header);
  if (OTHER.test(text)) return 'other';
  if (FAILING.test(text)) return 'failing';
  if (COMPLETING.test(text)) return 'completing';
  return STATUS.test(text) ? 'status' : null;
}

/** Of people, contracts, money and rules: "Approval status", "Employment status", "Enrolment type", "Mandatory". */
const OTHER = words(
  'approv|authoris|authoriz|employment|employee|worker|account|user|payment|paid|billing|invoice|order|contract|licen[cs]e|manager|mandatory|required|compulsory|optional|active|enabled|archived|published|visib|certificate|renew|type|method|mode|reason|source|country|region|genehmig|freigabe|beschäftig|mitarbeiter|konto|benutzer|zahlung|vertrag|vorgesetzt|pflicht|aktiv|zertifikat|art|grund|land|quelle|approbation|emploi|employé|compte|paiement|contrat|obligatoire|actif|active|certificat|motif|pays|aprobaci|empleo|empleado|cuenta|pago|contrato|obligatori|activo|activa|certificado|motivo|país|承認|必須|有効',
);

/** A word of completing, with "not" before it; or a word of failing. */
const FAILING = words(
  '(?:not|non|no|nicht|niet|pas|não|nie|ej|ikke) (?:\\p{L}+ )?(?:complet|pass|attend|finish|abgeschlossen|bestanden|teilgenommen|terminé|réussi|aprob|aprov)|incomplet|fail|absen|missed|no show|dropped|withdrawn|durchgefallen|nichtbestanden|abgebrochen|fehlend|échou|échec|reprob|reprov|suspenso|bocciat|respint|gezakt|niezaliczon|underkänd|不合格|欠席|未完了|未修了',
);

/** Beginnings of words; those that begin other words ("passport", "presentation") stand with their end. */
const COMPLETING = words(
  [
    'complet|complét|pass(?:ed|es|ing)?(?!\\p{L})|attend|participa|present(?!\\p{L})|presence|finish|succe[es]|achiev|accomplish|satisf|cleared',
    'abgeschlossen|abschlu[sß]|abschluß|bestanden|bestehen|erfolg|teilgenommen|teilnahme|anwesen|erledigt|absolviert|beendet',
    'termin[éeao]|réuss|reussi|acquis|validé|suivi|présen|achevé|particip',
    'aprobad|aprovad|superad|superat|finaliz|completad|completat|conclu|realizad|asisti|asistencia|frequen[tz]|presença|presencia|presenza|promoss',
    'voltooid|geslaagd|behaald|afgerond|aanwezig|deelgenomen|zaliczon|ukończ|ukoncz|zdan|obecn|dokonč|absolvov|splněn|prošel',
    'fullført|fullfört|gennemført|genomförd|bestått|bestået|godkänd|godkjent|godkendt|deltog|deltag|deltatt|suoritet|hyväksyt',
    'tamamla|geçti|başarı|katıl|пройден|заверш|сдан|присутств|ολοκληρ|完了|修了|合格|出席|受講済|完成|通过|通過|수료|합격|완료|출석',
  ].join('|'),
);

const STATUS = words(
  'status|state(?!\\p{L})|outcome|result|verdict|progress|disposition|standing|ergebnis|resultat|bewertung|fortschritt|zustand|stand(?!\\p{L})|résultat|statut|état|avancement|bilan|estado|resultado|situac|situaç|progreso|stato|esito|uitslag|resultaat|voortgang|wynik|stan(?!\\p{L})|stav|výsledek|tila|tulos|durum|sonuç|статус|результат|состояние|κατάσταση|状態|状況|結果|ステータス|状态|结果|상태|결과',
);

/** Matches a word with one of these beginnings; where words aren't parted by spaces, anywhere. */
function words(beginnings: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}--\\p{sc=Han}--\\p{sc=Hiragana}--\\p{sc=Katakana}--\\p{sc=Hangul}])(?:${beginnings})`,
    'v',
  );
}
