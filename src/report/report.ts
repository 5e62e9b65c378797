import type { Config } from '../config/schema.js';
import type { Equation } from '../domain/balance/equations.js';
import type { Notice } from '../domain/environment/notice.js';
import type { UntakenFile } from '../domain/files/untaken-file.js';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { ATTENTION_STATES, STATES, type State } from '../domain/submission.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { Outage } from '../ledger/attempts/outages.js';
import type { Imbalance } from '../ledger/books/balance/imbalances.js';
import type { AttemptCounts } from '../ledger/books/books.js';
import { isSetAside } from '../ledger/books/files/drop-list.js';
import { type Books, readBooks } from '../ledger/books/read-books.js';
import type { AttentionCause, CauseDrop } from '../ledger/books/rows/attention.js';
import type { ReportSelection } from '../ledger/drops/report-selection.js';
import type { Ledger } from '../ledger/store/query.js';
import { type ReportedLeftOut, reportedLeftOut } from './left-out.js';
import { type ReportedOutage, reportedOutages } from './status/outages.js';
import { type Queue, queueOf } from './status/queue.js';
import { causeWords } from './words/cause-words.js';
import { noticeWords } from './words/notice-words.js';

/** Why rows need a person, one line per cause. */
export interface ReportedCause extends AttentionCause {
  /** What happened, in words. */
  readonly reason: string;
  readonly count: number;
  /** Where one such row is: file:line. */
  readonly example: string;
  readonly remedy: string;
  /** The drops that have such rows, with the number of rows of each. */
  readonly drops: readonly CauseDrop[];
}

/** Something about an environment that a person should know and that is no row's fault. */
export interface ReportedNotice {
  readonly code: Notice['code'];
  readonly environment: string;
  readonly message: string;
  readonly remedy: string;
  /** How often it was seen. */
  readonly count: number;
}

/** What a report says as the ledger does. */
type SharedWithBooks = Pick<Books, 'unknownLearners' | 'altered' | 'existing' | 'files' | 'drops'>;

/** The one model that every rendering of a report draws from. */
export interface Report extends SharedWithBooks {
  readonly selection: ReportSelection;
  /** ISO time at which the ledger was read; all numbers belong to this one moment. */
  readonly at: string;
  /** True when every control equation of the selection adds up (promise 1); without a selection, of the whole ledger. */
  readonly balanced: boolean;
  /** Every control equation of the selection: of each drop, source and environment, and of the run or of all together. */
  readonly equations: readonly Equation[];
  /** The equations that don't hold, with the rows to look at. */
  readonly imbalances: readonly Imbalance[];
  /** Rows read from the selection's drops; the sum of the dispositions. */
  readonly rows: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  readonly states: Readonly<Record<State, number>>;
  readonly attempts: AttemptCounts;
  /** How many rows and files need a person. */
  readonly attention: number;
  /** Open rows that became no record, and submissions in a state that needs a person. */
  readonly attentionRows: number;
  /** Files that were set aside as a whole; none of their rows is among those above. */
  readonly attentionFiles: number;
  /** Rows and set-aside files that need a person and are none of the selection's. */
  readonly attentionElsewhere: { readonly rows: number; readonly files: number };
  /**
   * The rows that wait in the ledger, by environment, whatever the selection: a reader of a run's report must know what the
   * run has left.
   */
  readonly waiting: readonly Queue[];
  readonly causes: readonly ReportedCause[];
  /** Environments that can't be used, and environments that the run couldn't use and that work again. */
  readonly outages: readonly ReportedOutage[];
  /** The same outages as the ledger keeps them, with the time at which a report last named each. */
  readonly keptOutages: readonly Pick<Outage, 'outageId' | 'endedAt' | 'reportedAt'>[];
  /** What runs noticed about environments as a whole. */
  readonly notices: readonly ReportedNotice[];
  /** What was left out of rows that are records, most rows first. */
  readonly leftOut: readonly ReportedLeftOut[];
  /** What lies where files come in and no source takes; null where nobody looked. */
  readonly untaken: readonly UntakenFile[] | null;
}

/** What a report shows that is not in the ledger. */
interface Surroundings {
  /** To estimate how long the waiting rows take. */
  readonly environments?: Config['environments'];
  /** Files in the inboxes that no source takes; null where nobody has looked. */
  readonly untaken?: readonly UntakenFile[] | null;
}

/** Reads a report from the ledger. Throws OperatorError where there is no such run. */
export async function reconcile(
  ledger: Ledger,
  selection: ReportSelection,
  { environments = {}, untaken = null }: Surroundings = {},
): Promise<Report> {
  const books = await readBooks(ledger, selection);
  const { at, equations, dispositions, states, files } = books;
  const outages = reportedOutages(books);
  const attentionRows =
    dispositions.invalid - books.resolved + ATTENTION_STATES.reduce((sum, name) => sum + states[name], 0);
  const attentionFiles = files.filter(isSetAside).length;
  return {
    selection,
    at,
    balanced: equations.every(({ holds }) => holds),
    equations,
    imbalances: books.imbalances,
    rows: DISPOSITIONS.reduce((sum, name) => sum + dispositions[name], 0),
    dispositions,
    states,
    attempts: books.attempts,
    attention: attentionRows + attentionFiles,
    attentionRows,
    attentionFiles,
    attentionElsewhere: {
      rows: books.openInAll.rows - attentionRows,
      files: books.openInAll.files - attentionFiles,
    },
    waiting: books.queues.map((queue) => queueOf(queue, environments[queue.environment], outages, at)),
    causes: books.causes.map((cause) => ({
      code: cause.code,
      cause: cause.cause,
      ...causeWords(cause),
      count: cause.count,
      example: `${cause.example.file}:${cause.example.line}`,
      state: cause.state,
      drops: cause.drops,
    })),
    outages,
    keptOutages: books.outages,
    notices: books.notices.map(({ environment, notice, count }) => ({
      code: notice.code,
      environment,
      ...noticeWords(environment, notice),
      count,
    })),
    unknownLearners: books.unknownLearners,
    leftOut: reportedLeftOut(books),
    altered: books.altered,
    existing: books.existing,
    files,
    drops: books.drops,
    untaken,
  };
}

/**
 * The number of rows still to be sent; for a run's report all rows that wait, since earlier runs may have left some too.
 */
export function countWaitingRows({ selection, waiting, states }: Report): number {
  if (selection.runId === undefined) return states.waiting + states.sending;
  return states.sending + waiting.reduce((sum, queue) => sum + queue.waiting, 0);
}

/** The sentence about what needs a person besides the report's selection; null: nothing does. */
export function elsewhereWords({ selection, attentionElsewhere: { rows, files } }: Report): string | null {
  const parts = [...(rows > 0 ? [countOf(rows, 'row')] : []), ...(files > 0 ? [countOf(files, 'file')] : [])];
  if (parts.length === 0) return null;
  const of = selection.runId === undefined ? 'outside this report' : 'of other runs';
  return `${parts.join(' and ')} ${of} ${agreeing(rows + files, 'needs', 'need')} attention: registrar status.`;
}

/** The number of submissions of the selection, whatever their state. */
export function countSubmissions(report: Report): number {
  return STATES.reduce((sum, name) => sum + report.states[name], 0);
}
