import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { type Issue, refused } from '../domain/issue.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { type SourceFacts, sourceFacts } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { headerDrift, mappingText, withSavedMapping } from '../normalise/mapping/header-drift.js';
import { operationNamed } from '../operations/registry.js';
import type { Planned } from './plan-drop.js';

/**
 * Returns the plan where its columns are read like those of the source's last published drop, or a person has confirmed the
 * difference. Otherwise returns the issues. Writes nothing.
 * @param ledger null where there is none yet.
 */
export async function planAsKnown(
  ledger: Ledger | null,
  source: SourceConfig,
  planned: Planned,
): Promise<Planned> {
  return besideKnown(ledger ? await factsOf(ledger, source) : NOTHING, source, planned);
}

function besideKnown(known: KnownMappings, source: SourceConfig, planned: Planned): Planned {
  if (planned.kind === 'refused') return refused(...besideSaved(known, planned.issues));
  const issues = driftBeside(known, source, planned.header);
  return issues.length > 0 ? refused(...issues) : planned;
}

type KnownMappings = Pick<SourceFacts, 'last' | 'confirmed'>;

function factsOf(ledger: Ledger, source: SourceConfig): Promise<SourceFacts> {
  return sourceFacts(ledger, source.name, source.operation);
}

const NOTHING: KnownMappings = { last: null, confirmed: new Set() };

/**
 * Does the same before staging, and records the new reading where `confirmedBy` names a person who says that it is right.
 */
export async function requireKnownMapping(
  ledger: Ledger,
  source: SourceConfig,
  planned: Planned,
  confirmedBy: Decider | null,
  because: string | null = null,
): Promise<Planned> {
  const known = await factsOf(ledger, source);
  const asKnown = besideKnown(known, source, planned);
  if (asKnown.kind === 'export' || planned.kind === 'refused' || confirmedBy === null) return asKnown;
  const mapping = mappingText(planned.header.match, operationNamed(source.operation));
  const confirmed = { settings: null, mappings: [mapping] };
  await pinReading(ledger, source.name, confirmed, { who: confirmedBy, because });
  return planned;
}

/**
 * What speaks against a header: how it differs from the header by which the source was read so far, unless a person has
 * confirmed that. Where no header was found, the issues say why, and how the source was read so far.
 */
export async function issuesAsKnown(
  ledger: Ledger,
  source: SourceConfig,
  { header, issues }: { readonly header: FoundHeader | null; readonly issues: readonly Issue[] },
): Promise<readonly Issue[]> {
  const known = await factsOf(ledger, source);
  return header === null ? besideSaved(known, issues) : driftBeside(known, source, header);
}

function besideSaved({ last }: KnownMappings, issues: readonly Issue[]): readonly Issue[] {
  return last ? issues.map((issue) => withSavedMapping(issue, last)) : issues;
}

function driftBeside(
  { last, confirmed }: KnownMappings,
  source: SourceConfig,
  header: FoundHeader,
): readonly Issue[] {
  const operation = operationNamed(source.operation);
  const drift = last ? headerDrift(last, header, operation, source) : [];
  return confirmed.has(mappingText(header.match, operation)) ? [] : drift;
}
