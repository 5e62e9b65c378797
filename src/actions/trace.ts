import { type Trace, trace as traceIn } from '../report/trace/trace.js';
import { writeEvidence } from '../report/trace/write-evidence.js';
import type { ActionContext } from './context.js';
import { learnersNamed } from './learners/learners-named.js';

/** What is asked about somebody or something. */
export interface TraceRequest {
  /** A learner, a line (`file.csv:217`), a submission (`#12`) or a key. */
  readonly what: string;
  /** All rows that became no record are searched, however many they are. */
  readonly searchAll: boolean;
  /** Each row is explained, however many they are; false: a list will do for many. */
  readonly inFull: boolean;
  /** The folder for an evidence pack; null: none is written. */
  readonly evidence: string | null;
}

/** What was found, and the folder of the evidence; null: none was written. */
export interface Traced {
  readonly found: Trace;
  readonly evidence: string | null;
}

/** Every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export async function trace(
  { ledger, config }: ActionContext,
  { what, searchAll, inFull, evidence }: TraceRequest,
): Promise<Traced> {
  const learners = learnersNamed(ledger, what);
  const found = await traceIn(ledger, config, { what, learners, searchAll }, inFull || evidence !== null);
  const isWritten = evidence !== null && found.kind !== null;
  return { found, evidence: isWritten ? await writeEvidence(config, found, evidence) : null };
}
