import { MAX_SHOWN, type Trace, trace as traceIn } from '../report/trace/trace.js';
import type { ActionContext } from './context.js';
import { learnersNamed } from './learners/learners-named.js';

export interface TraceRequest {
  /** A learner, a line (`file.csv:217`), a submission (`#12`) or a key. */
  readonly what: string;
  /** True: all rows that became no record are searched, however many there are. */
  readonly searchAll: boolean;
  /** True: each row is explained; false: the first of them. */
  readonly inFull: boolean;
}

/** Reads every step of a learner's, a row's or a submission's life. Writes nothing to the ledger. */
export function trace(
  { ledger, config }: ActionContext,
  { what, searchAll, inFull }: TraceRequest,
): Promise<Trace> {
  const learners = learnersNamed(ledger, what);
  return traceIn(
    ledger,
    config,
    { what, learners, searchAll },
    inFull ? Number.POSITIVE_INFINITY : MAX_SHOWN,
  );
}
