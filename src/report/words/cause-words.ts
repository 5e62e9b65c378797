import type { AttentionCause } from '../../documents/report.js';
import type { AcceptedAs, Cause } from '../../domain/cause.js';
import { SAME_KEY_REMEDY } from '../../domain/delivery/same-key.js';
import { ISSUE_CODES, type IssueCode } from '../../domain/issue.js';
import type { AttentionRow } from '../../ledger/books/rows/attention-rows.js';
import type { LifeTransition } from '../../ledger/trace/submission-life.js';
import { commandLine } from '../text/command-line.js';

/** A cause in words: what happened, and what a person can do about it. */
export interface CauseWords {
  readonly reason: string;
  readonly remedy: string;
}

const CORRECT_AND_REDROP =
  'Correct the value in the file it came from and drop the file again: only what changed is new.';

/** The remedy for rows of a file of corrections that can't be matched to an original. */
const PUT_BACK =
  'Put the row back as the workbook had it, with _row and _drop, or _learner; then put the workbook into an inbox again. The report of this run lists it.';

const OVERLAP =
  'Correct the time in the file. Or set overlap of the source to earlier or later, then read the file again.';

const ROW_REMEDIES: Partial<Record<IssueCode, string>> = {
  'timestamp-unzoned':
    'Set timeZone of the source in registrar.yaml to the zone the export was made in; where the file names another zone, set what the row’s sentence says. Then read the file again.',
  'timestamp-ambiguous': OVERLAP,
  'timestamp-nonexistent': OVERLAP,
  'date-order-unknown': 'Set dateOrder of the source to day-first or month-first, then read the file again.',
  'score-scale-unknown':
    'Set scale of the source to the scale of its scores, such as 0-10 or 0-100, then read the file again.',
  'score-invalid':
    'Correct the score in the file. Or set scale of the source to the scale of the column, or scoreUnreadable: left-out where the column holds letters or remarks, then read the file again.',
  'formula-unsaved':
    'Open the file in Excel or LibreOffice, save it, and drop it again: then it holds the values that they show.',
  'text-struck':
    'Delete the struck-through text in the workbook, or take the line through it off, and drop the file again.',
  'row-other-table':
    'Export each table as a file of its own and drop these files. Dismiss the rows of a table that is not wanted.',
  'original-unknown': PUT_BACK,
  'original-repeated': PUT_BACK,
  'same-key-differs': SAME_KEY_REMEDY,
  'status-unknown':
    'Add the word to status.completed or status.notCompleted of the source, then read the file again. A column beside the status that decides nothing goes into status.ignore.',
};

/**
 * Causes that the platform or a guard gives. An unknown learner has four known causes, none of which means that the learner
 * is gone.
 */
const SUBMISSION_WORDS: Partial<Record<Cause, CauseWords>> = {
  'learner-unknown': {
    reason: 'the platform does not know the learner',
    remedy: `Look for a typo or an old address; for a learner who is not provisioned yet or was removed; for an account that is known by another identifier (alias, employee id); for a learner whom the platform keeps anonymous. Then map the identifier (${commandLine({ action: 'map' })}), or rerun.`,
  },
  'out-of-order': {
    reason: 'a later completion of the same learner and content was already accepted',
    remedy: 'Rerun it only if the platform should take the older date; otherwise leave it.',
  },
  canary: {
    reason: "nearly all of the file's first rows were refused, so the others were not sent",
    remedy:
      'Look at the refused rows: a wrong column or type of identifier? Correct registrar.yaml and drop the file again; when the refusals are right, rerun.',
  },
  restored: {
    reason: 'the ledger was set back to a backup, and the row may have been delivered since that was made',
    remedy:
      'Look the completion up on the platform or in the reports of that time. Rerun it if it is not there, dismiss it if it is.',
  },
  damaged: {
    reason:
      'what the ledger keeps of the row is not what was staged: a disk has changed it, so it was not sent',
    remedy: `Restore a backup: registrar restore FILE --because TEXT. Check the disk, and the ledger: ${commandLine({ action: 'doctor', deep: true })}.`,
  },
  amended: {
    reason: 'a correction of a row that was already accepted',
    remedy: 'Rerun it to send the correction, or set amendments: send for the source.',
  },
  misdirected: {
    reason: 'a value of it would lead the request elsewhere, so that it was not sent',
    remedy: CORRECT_AND_REDROP,
  },
  'owner-died': {
    reason: 'the process that sent it ended before an answer came',
    remedy: 'Look the completion up on the platform; rerun it if it is not there.',
  },
};

/** Why rows need attention, in words. */
export function causeWords({ state, cause, code }: AttentionCause): CauseWords {
  if (isIssue(cause)) {
    return { reason: ISSUE_CODES[cause], remedy: ROW_REMEDIES[cause] ?? CORRECT_AND_REDROP };
  }
  const words = SUBMISSION_WORDS[cause];
  if (words) return words;
  if (state === 'in-doubt') {
    return {
      reason: `no answer says that it arrived (${code})`,
      remedy: 'Look the completion up on the platform; rerun it if it is not there.',
    };
  }
  if (state === 'failed') {
    return {
      reason: `the platform failed on every try (${code})`,
      remedy: 'Rerun it once the platform is well.',
    };
  }
  return {
    reason: `the platform refused the record (${code})`,
    remedy: 'Read the detail in the attention file, correct the row, and drop the file again.',
  };
}

/** What to do about one row that needs attention: what its issues say, else the words for its cause. */
export function rowRemedy({ state, cause, code, remedy }: AttentionRow): string {
  if (remedy !== null) return remedy;
  return cause === null ? CORRECT_AND_REDROP : causeWords({ state, cause, code }).remedy;
}

/**
 * Why a submission changed its state, in a word or two: the words of its cause, else the platform's or the system's words.
 * @param acceptedAs how the submission was accepted. @returns null where the event says everything.
 */
export function transitionReason(
  { cause, event, words }: Pick<LifeTransition, 'cause' | 'event' | 'words'>,
  acceptedAs: AcceptedAs | null,
): string | null {
  if (cause === null) return event === 'accepted' && acceptedAs !== null ? MET[acceptedAs] : null;
  return IN_SHORT[cause] ?? words ?? cause;
}

const MET: Readonly<Record<AcceptedAs, string | null>> = {
  new: null,
  existed: 'existed already',
  revived: 'revived',
};

const IN_SHORT: Partial<Record<Cause, string>> = {
  'learner-unknown': 'learner-unknown',
  'refused-together': 'refused together with others',
  'refused-for-others': 'refused for the sake of others',
  'exists-already': 'exists already, to be revived',
  'learner-accepted': 'learner accepted',
  'newer-revision': 'newer revision',
  mapped: 'learner mapped',
  forgotten: 'learner forgotten',
  'delivered-after-backup': 'delivered after the backup',
};

function isIssue(cause: Cause | IssueCode): cause is IssueCode {
  return cause in ISSUE_CODES;
}
