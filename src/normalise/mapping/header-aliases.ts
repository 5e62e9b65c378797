import type { Field, Operation } from '../../operations/operation.js';
import { compactHeader, normaliseHeader, splitGroup } from '../header/header-text.js';
import { zoneHeaderRank } from '../time/zone/zone-header.js';

/** Why a header may be a field. */
export interface AliasMatch {
  readonly field: string;
  /** The alias as the operation writes it, the key of `Field.implied`. */
  readonly alias: string;
  /** Lower is better; nothing decides between equal ranks. */
  readonly rank: number;
}

/** Aliases found behind a group ("User - Email") come after all that stand alone. */
const GROUPED_RANK = 1_000;

/**
 * The fields that a header names, at most one entry for each field. Expects normalised text. A field's own name is
 * the last of its aliases.
 */
export function aliasMatches(text: string, operation: Operation): readonly AliasMatch[] {
  if (text === '') return [];
  const index = aliasIndex(operation);
  const direct = index.get(compactHeader(text));
  if (direct) return direct;
  const rank = zoneHeaderRank(text);
  const zone = rank === null ? undefined : operation.fields.find(({ kind }) => kind === 'zone');
  // Asked last, because it takes longer than all the rest, and words of refused rows are asked about as well.
  if (rank !== null && zone && whyNotMapped(text, zone) === null)
    return [{ field: zone.name, alias: text, rank }];
  const grouped = splitGroup(text);
  if (!grouped) return [];
  return (index.get(compactHeader(grouped.tail)) ?? [])
    .filter((match) => whyNotMapped(text, fieldNamed(operation, match.field)) === null)
    .map((match) => ({ ...match, rank: match.rank + GROUPED_RANK }));
}

/**
 * Beginnings of words, in the languages of the aliases, that mark a date as something else than a completion. "Completion" beside
 * them makes it one ("Enrollment Completed Date"), except for planned dates.
 */
const PLANNED = beginnings(
  'due|deadline|expected|planned|target|estimated|projected|scheduled|geplant|previst|prévu|予定',
);
const OTHER_DATES: readonly (readonly [RegExp, string])[] = [
  [beginnings('start|begin|began|beginn|inicio|début|開始'), 'a start, not a completion'],
  [beginnings('enrol|regist|einschreib|anmeld|inscri|matricul|登録'), 'an enrolment, not a completion'],
  [
    beginnings('assign|zuweis|zugewiesen|asigna|attribution|attribué|割当|割り当て'),
    'an assignment, not a completion',
  ],
  [
    beginnings('due|deadline|fällig|frist|vencim|(?:fecha|date) l[íi]mite|échéance|締切|期限'),
    'a deadline, not a completion',
  ],
  [
    beginnings('expir|valid until|ablauf|gültig bis|caducidad|válido hasta|valable|valide|有効'),
    'an expiry, not a completion',
  ],
  [
    beginnings(
      '(?:last|first) (?:view|activ|access|login|join)|letzte[rn]? (?:zugriff|anmeldung|aktivität)|zuletzt|último acceso|dernier accès|dernière (?:connexion|activité)|最終アクセス',
    ),
    'an activity, not a completion',
  ],
  [
    beginnings(
      'join|hire|hiring|birth|dob|eintritt|einstell|geburt|embauche|naissance|ancienneté|contratación|ingreso|nacimiento|assunzione|nascita|admissão|nascimento|indienst|geboorte|入社|生年',
    ),
    'a date of the person, not a completion',
  ],
  [
    beginnings('created|updated|modified|exported|erstellt|geändert|créé|modifié|creado|modificad|作成|更新'),
    'a date of the record, not a completion',
  ],
];

const DATE = beginnings('date|datum|fecha|日');

/** Beside these words, a word of the lists above is no reason. */
const COMPLETION = beginnings('complet|finish|achiev|finaliz|achèv|achev|abschluss|abgeschlossen|完了|修了');

/** True for a header that says it is about the completion. Expects normalised text. */
export function namesCompletion(text: string): boolean {
  return COMPLETION.test(text) || text.startsWith('compl ');
}

const PROGRESS = new RegExp(
  `${beginnings('progress|progreso|fortschritt|avance|進捗').source}|${
    beginnings(
      '(?:percent|percentage|prozent|porcentaje|pourcentage) (?:de )?(?:complet|abgeschlossen|achev|finaliz)|completion (?:rate|percentage)',
    ).source
  }|% (?:marked )?complet|(?:complete|completed|completion) %`,
  'v',
);

const OTHER_PEOPLE = beginnings(
  'manager|supervisor|approver|instructor|trainer|teacher|assessor|author|creator|owner|requester|assigner|coach|mentor|vorgesetzt|führungskraft|dozent|ausbilder|jefe|responsable|formador|formateur|tuteur|tutor|上司|講師|承認者',
);

const PERSON = beginnings(
  'user|learner|employee|person|profile|participant|student|member|benutzer|nutzer|mitarbeit|teilnehmer|utilisateur|apprenant|usuario|alumno|empleado|utente|usuário|gebruiker|medewerker|ユーザ|社員|受講者',
);

/**
 * Why a header that looks like the field's is deliberately not taken for it, in a few plain words; null when it may be. Expects
 * normalised text.
 */
export function whyNotMapped(text: string, field: Field): string | null {
  const words = text.replaceAll(' - ', ' ');
  if (field.kind === 'timestamp') {
    const isCompletion = COMPLETION.test(words);
    const reason = OTHER_DATES.find(([other]) => other.test(words))?.[1] ?? null;
    if (PLANNED.test(words) && (isCompletion || DATE.test(words)))
      return reason ?? 'a plan, not a completion';
    return isCompletion ? null : reason;
  }
  if (field.kind === 'score' && PROGRESS.test(words)) return 'progress, not a score';
  if (field.kind === 'zone' && PERSON.test(words)) return 'the zone of a person, not of the times';
  if (field.kind === 'zone' && !namesCompletion(words) && OTHER_DATES.some(([other]) => other.test(words)))
    return 'the zone of other times';
  if (field.kind === 'learner' && OTHER_PEOPLE.test(words)) return 'another person, not the learner';
  return null;
}

/** Matches a word with one of these beginnings; letters are those of any language. Japanese has no spaces to begin at. */
function beginnings(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}--\\p{sc=Han}--\\p{sc=Hiragana}--\\p{sc=Katakana}])(?:${words})`, 'v');
}

const INDEXES = new WeakMap<Operation, ReadonlyMap<string, readonly AliasMatch[]>>();

function aliasIndex(operation: Operation): ReadonlyMap<string, readonly AliasMatch[]> {
  const known = INDEXES.get(operation);
  if (known) return known;
  const index = new Map<string, AliasMatch[]>();
  for (const field of operation.fields) {
    for (const [rank, alias] of [...field.aliases, field.name].entries()) {
      const key = compactHeader(normaliseHeader(alias).text);
      const matches = index.get(key) ?? [];
      if (!matches.some((match) => match.field === field.name))
        matches.push({ field: field.name, alias, rank });
      index.set(key, matches);
    }
  }
  INDEXES.set(operation, index);
  return index;
}

function fieldNamed(operation: Operation, name: string): Field {
  return operation.fields.find((field) => field.name === name) as Field;
}
