import { dataFile } from '../../config/values/data-file.js';
import type { AcceptedAs } from '../../domain/cause.js';
import type { Door } from '../../domain/decider.js';
import type { RowOutcome } from '../../domain/delivery/correction.js';
import type { SentCounts } from '../../domain/environment/timeline.js';
import type { FileStanding } from '../../domain/files/file-standing.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import type { Disposition } from '../../domain/row.js';
import type { State } from '../../domain/submission.js';
import type { AlterationKind } from '../../domain/text/alteration.js';
import type { Difference } from '../../domain/text/near-matches.js';
import type { AuditKind } from '../../ledger/access/audit-log.js';
import type { DecisionKind } from '../../ledger/decisions/decision-log.js';

/** The colour; the text beside it says the same. */
export type Tone = 'good' | 'open' | 'bad' | 'calm';

type By<Name extends string, Word> = Readonly<Record<Name, Word>>;

/** A word or two for what code knows by a name, as data/texts/terms.yaml has them. */
export const terms = dataFile<{
  readonly triggers: By<RunTrigger, string>;
  readonly alterations: By<AlterationKind, string>;
  readonly acceptedAs: By<AcceptedAs, string | null>;
  readonly differences: By<Difference, string>;
  readonly dispositions: By<Disposition, readonly [Tone, meaning: string]>;
  readonly states: By<State, readonly [Tone, meaning: string]>;
  readonly runEnds: By<RunEnd | 'open', readonly [Tone, string]>;
  readonly answers: By<OutcomeKind | 'open', string>;
  readonly standings: By<FileStanding, readonly [Tone, string]>;
  readonly decisions: By<DecisionKind, string>;
  readonly moved: Partial<By<DecisionKind, string>>;
  readonly events: By<Exclude<AuditKind, DecisionKind>, string>;
  readonly doors: By<Door, string>;
  readonly corrected: By<RowOutcome, string>;
  readonly calm: Readonly<Partial<Record<string, string>>>;
  readonly lanes: By<
    keyof SentCounts,
    readonly [tone: string, name: string, meaning: string, always: boolean]
  >;
}>('texts/terms');
