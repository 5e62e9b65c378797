import type { Config } from '../config/schema.js';
import type { AlterationKind } from '../domain/alteration.js';
import { isoFromMs } from '../domain/clock.js';
import type { Notice } from '../domain/notice.js';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { ATTENTION_STATES, STATES, type State } from '../domain/submission.js';
import type { UntakenFile } from '../domain/untaken-file.js';
import {
  alterationsIn,
  countAlterations,
  type ExistingCounts,
  existingIn,
  type PlacedAlteration,
} from '../ledger/alterations.js';
import { type AttentionCause, type CauseDrop, causesIn } from '../ledger/attention.js';
import {
  type AttemptCounts,
  attemptsIn,
  dispositionsIn,
  resolvedIn,
  type Scope,
  statesIn,
} from '../ledger/books.js';
import { type DropSummary, dropsIn, isSetAside } from '../ledger/drop-list.js';
import { type Equation, equationsIn } from '../ledger/equations.js';
import { type Imbalance, imbalances } from '../ledger/imbalances.js';
import { noticesIn } from '../ledger/notices.js';
import { type Ledger, reading } from '../ledger/query.js';
import { countUnknownLearners } from '../ledger/unknown-learners.js';
import { causeWords } from './cause-words.js';
import { type ReportedLeftOut, reportedLeftOut } from './left-out.js';
import { noticeWords } from './notice-words.js';
import { type ReportedOutage, reportedOutages } from './outages.js';
import { type Queue, queuesOf } from './queue.js';

/** Why rows need a person, one line per cause. */
export interface ReportedCause extends AttentionCause {
  /** What happened, in words. */
  readonly reason: string;
  readonly count: number;
  /** Where one such row is: file:line. */
  readonly example: string;
  readonly remedy: string;
  /** The drops that have such rows, with how many each. */
  readonly drops: readonly CauseDrop[];
}

/** Something about an environment that a person should know, and no row is at fault. */
export interface ReportedNotice {
  readonly code: Notice['code'];
  readonly environment: string;
  readonly message: string;
  readonly remedy: string;
  /** How often it was seen. */
  readonly count: number;
}

/** The one model that every rendering of a report draws from. */
export interface Report {
  readonly scope: Scope;
  /** ISO time of the look at the ledger; all numbers belong to this one moment. */
  readonly at: string;
  /** True when every control equation of the scope adds up (promise 1); without a scope, of the whole ledger. */
  readonly balanced: boolean;
  /** Every control equation of the scope: of each drop, source and environment, and of the run or of all together. */
  readonly equations: readonly Equation[];
  /** Those that don't hold, with the rows to look at. */
  readonly imbalances: readonly Imbalance[];
  /** Rows read from the scope's drops; the sum of the dispositions. */
  readonly rows: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  readonly states: Readonly<Record<State, number>>;
  readonly attempts: AttemptCounts;
  /** All that needs a person: rows and files. */
  readonly attention: number;
  /** Rows that became no record and nobody has dealt with, and submissions in a state that needs a person. */
  readonly attentionRows: number;
  /** Files that were set aside as a whole; none of their rows is among those above. */
  readonly attentionFiles: number;
  /** What waits in the ledger by environment, whatever the scope: whoever reads of a run must know what it has left. */
  readonly waiting: readonly Queue[];
  readonly causes: readonly ReportedCause[];
  /** Environments that can't be used, and those that the run couldn't use and can by now. */
  readonly outages: readonly ReportedOutage[];
  /** What runs noticed about environments as a whole. */
  readonly notices: readonly ReportedNotice[];
  /** Learners whom the platform doesn't know, and their rows that were refused or are held for that. */
  readonly unknownLearners: { readonly learners: number; readonly rows: number };
  /** What was left out of rows that are records, most rows first. */
  readonly leftOut: readonly ReportedLeftOut[];
  /** Texts that the platform gave back otherwise than they were sent (specification §2.5). */
  readonly altered: {
    readonly counts: Readonly<Record<AlterationKind, number>>;
    /** The first of them. */
    readonly shown: readonly PlacedAlteration[];
  };
  /** Of the accepted submissions, those whose thing was there before (specification §3). */
  readonly existing: ExistingCounts;
  readonly files: readonly DropSummary[];
  /** What lies where files come in and no source takes; null where nobody looked. */
  readonly untaken: readonly UntakenFile[] | null;
}

/** Alterations that are listed; how many there are is counted. */
const ALTERATIONS = 100;

/** What a report tells that is not in the ledger. */
interface Surroundings {
  /** For how long what waits takes. */
  readonly environments?: Config['environments'];
  /** What whoever has looked found in the inboxes; null: nobody has looked. */
  readonly untaken?: readonly UntakenFile[] | null;
}

/** Reads a report off the ledger. */
export function reconcile(
  ledger: Ledger,
  scope: Scope,
  { environments = {}, untaken = null }: Surroundings = {},
): Report {
  return reading(ledger, () => {
    const dispositions = dispositionsIn(ledger, scope);
    const states = statesIn(ledger, scope);
    const equations = equationsIn(ledger, scope);
    const files = dropsIn(ledger, scope);
    const outages = reportedOutages(ledger, scope);
    const attentionRows =
      dispositions.invalid -
      resolvedIn(ledger, scope) +
      ATTENTION_STATES.reduce((sum, name) => sum + states[name], 0);
    const attentionFiles = files.filter(isSetAside).length;
    return {
      scope,
      at: isoFromMs(ledger.clock.nowMs()),
      balanced: equations.every(({ holds }) => holds),
      equations,
      imbalances: imbalances(ledger, scope, equations),
      rows: DISPOSITIONS.reduce((sum, name) => sum + dispositions[name], 0),
      dispositions,
      states,
      attempts: attemptsIn(ledger, scope),
      attention: attentionRows + attentionFiles,
      attentionRows,
      attentionFiles,
      waiting: queuesOf(ledger, environments, outages),
      causes: causesIn(ledger, scope).map((cause) => ({
        code: cause.code,
        cause: cause.cause,
        ...causeWords(cause),
        count: cause.count,
        example: `${cause.example.file}:${cause.example.line}`,
        state: cause.state,
        drops: cause.drops,
      })),
      outages,
      notices: noticesIn(ledger, scope).map(({ environment, notice, count }) => ({
        code: notice.code,
        environment,
        ...noticeWords(environment, notice),
        count,
      })),
      unknownLearners: countUnknownLearners(ledger, scope),
      leftOut: reportedLeftOut(ledger, scope),
      altered: {
        counts: { entity: 0, letters: 0, other: 0, ...countAlterations(ledger, scope) },
        shown: alterationsIn(ledger, scope, ALTERATIONS),
      },
      existing: existingIn(ledger, scope),
      files,
      untaken,
    };
  });
}

/** Rows that are still to be sent: for a run's report all that wait, since earlier runs may have left some too. */
export function countWaitingRows({ scope, waiting, states }: Report): number {
  if (scope.runId === undefined) return states.waiting + states.sending;
  return states.sending + waiting.reduce((sum, queue) => sum + queue.waiting, 0);
}

/** Submissions of the scope, whatever their state. */
export function countSubmissions(report: Report): number {
  return STATES.reduce((sum, name) => sum + report.states[name], 0);
}
