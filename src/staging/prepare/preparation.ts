import type { SourceConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Correction } from '../../domain/learners/corrected-learners.js';
import type { KnownLearners } from '../../ledger/decisions/known-learners.js';
import { type KeyMaker, keyMaker } from '../../operations/keys.js';
import type { Operation } from '../../operations/operation.js';
import { operationNamed } from '../../operations/registry.js';

export interface Preparation {
  readonly operation: Operation;
  readonly source: SourceConfig;
  readonly keys: KeyMaker;
  readonly clock: Clock;
  /** Hashes of learners who were forgotten. */
  readonly suppressed: ReadonlySet<string>;
  readonly corrections: readonly Correction[];
}

export interface LedgerFacts extends Pick<KnownLearners, 'corrections' | 'suppressed'> {
  readonly salt: string;
}

/** The facts where there is no ledger yet: with any salt, repeats within a file are found. */
export const NO_LEDGER: LedgerFacts = { salt: '0'.repeat(64), corrections: [], suppressed: new Set() };

export function preparationOf(
  source: SourceConfig,
  { salt, corrections, suppressed }: LedgerFacts,
  clock: Clock,
): Preparation {
  return {
    operation: operationNamed(source.operation),
    source,
    keys: keyMaker(salt),
    clock,
    suppressed,
    corrections,
  };
}
