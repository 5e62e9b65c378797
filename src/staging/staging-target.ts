import type { SourceConfig } from '../config/schema.js';
import type { StagingTarget } from '../ledger/submissions/staging.js';
import { operationNamed } from '../operations/registry.js';

/** What the submissions of a source's drop have in common. */
export function stagingTarget(dropId: number, source: SourceConfig): StagingTarget {
  return {
    dropId,
    operation: operationNamed(source.operation),
    environment: source.environment,
    sendAmendments: source.amendments === 'send',
  };
}
