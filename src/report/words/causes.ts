import { dataFile } from '../../config/values/data-file.js';
import type { AttentionCause } from '../../documents/report.js';
import type { RowIssue } from '../../documents/trace.js';
import type { AcceptedAs, Cause } from '../../domain/cause.js';
import { SAME_KEY_REMEDY } from '../../domain/delivery/same-key.js';
import { ISSUE_CODES, type IssueCode, isFixedBySetting, leadingIssue } from '../../domain/issue.js';
import type { AttentionRow } from '../../ledger/books/rows/listed-rows.js';
import type { LifeTransition } from '../../ledger/trace/submission-life.js';
import { saysExists } from '../../platform/answers/classify.js';
import { sentence } from '../text/sentence.js';
import { terms } from './terms.js';

/**
 * Who can do something about a row: exactly one for each. `sender`: it can be corrected in the file. `learners`: the platform
 * doesn't know its learner. `platform`: the record must be looked up on the platform. `operator`: a setting or a rerun solves
 * it.
 */
export type Actor = 'sender' | 'learners' | 'platform' | 'operator';

export type CauseAction = 'map' | 'rerun' | 'dismiss';

interface CauseEntry {
  readonly reason: string;
  readonly remedy: string;
  readonly actor: Actor;
  readonly commands?: readonly CauseAction[];
  readonly choices?: Readonly<Record<string, CauseAction>>;
  readonly setting?: 'too';
  readonly wrong?: string;
  readonly wrongValue?: string;
  readonly correct: string;
  readonly happened: string;
  readonly question: string;
  readonly short?: string;
}

const WORDS = dataFile<{
  readonly states: Readonly<Record<AttentionCause['state'], CauseEntry>>;
  readonly causes: Readonly<Partial<Record<Cause | IssueCode, Partial<CauseEntry>>>>;
  readonly fields: Readonly<Record<string, string>>;
}>('texts/causes');

export function causeEntry({
  state,
  cause,
}: Pick<AttentionCause, 'state'> & { readonly cause: AttentionCause['cause'] | null }): CauseEntry {
  const { states, causes } = WORDS();
  if (cause === null) return states[state];
  const entry = { ...states[state], ...causes[cause] };
  if (cause === 'same-key-differs') return { ...entry, remedy: SAME_KEY_REMEDY };
  return isFixedBySetting(cause) ? { ...entry, actor: 'operator' } : entry;
}

/** A cause in words: what happened, and what a person can do about it. */
export function causeWords(cause: AttentionCause) {
  const { reason, remedy } = causeEntry(cause);
  const why = cause.cause in ISSUE_CODES ? ISSUE_CODES[cause.cause as IssueCode] : reason;
  return { reason: why.replace('{code}', cause.code), remedy };
}

/** What to do about one row that needs attention: what its issues say, else the words for its cause. */
export function rowRemedy({ state, cause, remedy }: AttentionRow): string {
  return remedy ?? causeEntry({ state, cause }).remedy;
}

export function actorOf({
  state,
  cause,
  status,
  issues,
}: Pick<AttentionRow, 'state' | 'cause' | 'status' | 'issues'>): Actor {
  const { actor } = causeEntry({
    state,
    cause: (state === 'invalid' ? leadingIssue(issues)?.code : cause) ?? null,
  });
  return actor === 'sender' && state === 'rejected' && saysExists(status) ? 'platform' : actor;
}

/** An issue in words for the sender: no settings, no field names. Personal. */
export function senderIssue({ code, column, value, message, remedy }: RowIssue, header: readonly string[]) {
  // A field without a column in the file has a display name.
  const columnName =
    column === null || header.includes(column)
      ? column
      : (WORDS().fields[column] ?? column.replaceAll('-', ' '));
  const { wrong, wrongValue = wrong, correct } = causeEntry({ state: 'invalid', cause: code as IssueCode });
  const filled = (text: string | undefined) =>
    text?.replace('{column}', () => columnName ?? '').replace('{value}', () => value ?? '');
  const own = columnName === null ? undefined : filled(value === null ? wrong : wrongValue);
  const isPlain = message !== null && !SPEAKS_OF_SETTINGS.test(message);
  const shown = isPlain ? message : (own ?? message ?? 'what was wrong was erased on request');
  return {
    wrong: sentence(column === null ? shown : shown.replace(column, () => columnName ?? column)),
    remedy: correct === '{remedy}' ? sentence(remedy) : correct,
  };
}

/** Everything wrong with a row, and what its sender can do. Personal. */
export function senderRow(row: AttentionRow, header: readonly string[]) {
  if (row.state === 'invalid') {
    const words = row.issues.map((issue) => senderIssue(issue, header));
    const all = (texts: readonly string[]) => [...new Set(texts)].join(' ');
    return { wrong: all(words.map(({ wrong }) => wrong)), remedy: all(words.map(({ remedy }) => remedy)) };
  }
  const { reason, happened, correct } = causeEntry(row);
  return { wrong: sentence((reason ?? happened).replace('{code}', row.code)), remedy: correct };
}

const SPEAKS_OF_SETTINGS = /registrar\.yaml|\bsource\b|a record needs|clocks were set/;

export function senderRefusal({ detail, code }: Pick<AttentionRow, 'detail' | 'code'>) {
  const ending = detail === null || detail === code ? '.' : `: “${detail.replace(/(?<![.\s])[.\s]+$/, '')}”.`;
  return { wrong: `The platform refused this row${ending}`, remedy: WORDS().states.rejected.correct };
}

/**
 * Why a submission changed its state, in a word or two: the words of its cause, else the platform's or the system's words.
 * @param acceptedAs how the submission was accepted. @returns null where the event says everything.
 */
export function transitionReason(
  { cause, event, reason }: Pick<LifeTransition, 'cause' | 'event' | 'reason'>,
  acceptedAs: AcceptedAs | null,
): string | null {
  if (cause === null)
    return event === 'accepted' && acceptedAs !== null ? terms().acceptedAs[acceptedAs] : null;
  return WORDS().causes[cause]?.short ?? reason ?? cause;
}
