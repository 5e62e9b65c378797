import { type Trace, trace as traceIn } from '../report/trace/trace.js';
import { writeEvidence } from '../report/trace/write-evidence.js';
import type { ActionContext } from './context.js';
import { learnersNamed } from './learners/learners-named.js';

/** What a person asks about a learner, a row, a submission or a key. */
export interface TraceRequest {
  /** A learner, a line (`file.csv:217`), a submission (`#12`) or a key. */
  readonly what: string;
  /** True: all rows that became no record are searched, however many there are. */
  readonly searchAll: boolean;
  /** True: each row is explained, however many there are; false: many rows are only listed. */
  readonly inFull: boolean;
  /** The folder below which an evidence pack is written; null: none is written. */
  readonly evidence: string | null;
}

/** The trace, and the folder of the evidence pack; null where none was written. */
export interface Traced {
  readonly found: Trace;
  readonly evidence: string | null;
}

/** Reads every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export async function trace(
  { ledger, config }: ActionContext,
  { what, searchAll, inFull, evidence }: TraceRequest,
): Promise<Traced> {
  const learners = learnersNamed(ledger, what);
  const explained = inFull || evidence !== null ? 'always' : 'if-few';
  const found = await traceIn(ledger, config, { what, learners, searchAll }, explained);
  const isWritten = evidence !== null && found.kind !== null;
  return { found, evidence: isWritten ? await writeEvidence(config, found, evidence) : null };
}
