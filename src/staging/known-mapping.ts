import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Ledger } from '../ledger/query.js';
import { confirmMapping, isMappingConfirmed, savedMapping } from '../ledger/saved-mapping.js';
import type { FoundHeader } from '../normalise/find-header.js';
import { headerDrift, mappingText, withSavedMapping } from '../normalise/header-drift.js';
import { operationNamed } from '../operations/registry.js';
import type { Planned } from './plan-drop.js';

/**
 * The plan, where its columns are read as those of the source's last published drop or a person has confirmed that
 * they are not; else the issues. Writes nothing.
 */
export function planAsKnown(ledger: Ledger, source: SourceConfig, planned: Planned): Planned {
  const issues = issuesAsKnown(ledger, source, 'header' in planned ? planned.header : planned);
  return issues.length > 0 ? issues : planned;
}

/** The same before staging, where `confirmedBy` names who says that the new reading is right: then it is recorded. */
export function requireKnownMapping(
  ledger: Ledger,
  source: SourceConfig,
  planned: Planned,
  confirmedBy: string | null,
): Planned {
  const known = planAsKnown(ledger, source, planned);
  if ('header' in known || !('header' in planned) || confirmedBy === null) return known;
  const text = mappingText(planned.header.match, operationNamed(source.operation));
  confirmMapping(ledger, source.name, text, confirmedBy);
  return planned;
}

/**
 * What speaks against a header: how it differs from the one that the source was read by so far, unless that is
 * confirmed. Where there is no header, why, and how the source was read so far.
 */
export function issuesAsKnown(
  ledger: Ledger,
  source: SourceConfig,
  found: FoundHeader | readonly Issue[],
): readonly Issue[] {
  const saved = savedMapping(ledger, source.name, source.operation);
  if (!('match' in found)) return saved ? found.map((issue) => withSavedMapping(issue, saved)) : found;
  const operation = operationNamed(source.operation);
  const drift = saved ? headerDrift(saved, found, operation, source.name) : [];
  if (drift.length === 0) return drift;
  return isMappingConfirmed(ledger, source.name, mappingText(found.match, operation)) ? [] : drift;
}
