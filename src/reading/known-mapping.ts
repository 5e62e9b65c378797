import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { type Issue, refused } from '../domain/issue.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { type SourceFacts, sourceFacts } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { headerDrift, mappingText, withSavedMapping } from '../normalise/mapping/header-drift.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan, Planned } from './plan-drop.js';

/**
 * Returns the plan where two things hold: its columns are read like those of the source's last published drop, or a person
 * has confirmed the difference; and a person has confirmed what the file itself calls in question. Otherwise returns the
 * issues. Writes nothing.
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
  const issues = [...driftBeside(known, source, planned.header), ...openQuestions(known, source, planned)];
  return issues.length > 0 ? refused(...issues) : planned;
}

type KnownMappings = Pick<SourceFacts, 'last' | 'confirmed'>;

function factsOf(ledger: Ledger, source: SourceConfig): Promise<SourceFacts> {
  return sourceFacts(ledger, source.name, source.operation);
}

const NOTHING: KnownMappings = { last: null, confirmed: new Set() };

/** The questions not yet confirmed for this mapping, each with the command that confirms it. */
function openQuestions(known: KnownMappings, source: SourceConfig, plan: DropPlan): readonly Issue[] {
  const open = plan.profile.questions.filter(
    (question) => !known.confirmed.has(questionText(question, source, plan)),
  );
  return open.map((question) => ({
    ...question,
    remedy: `${question.remedy}; or, when this reading is right, put the file into the inbox again and confirm it once: registrar run --confirm ${source.name}`,
  }));
}

/** A question counts as answered while the columns are read the same way. */
function questionText({ code }: Issue, source: SourceConfig, { header }: DropPlan): string {
  return `${code} ${mappingText(header.match, operationNamed(source.operation))}`;
}

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
  const issues = driftBeside(known, source, planned.header);
  const drifted =
    issues.length > 0 ? [mappingText(planned.header.match, operationNamed(source.operation))] : [];
  const questions = planned.profile.questions.map((question) => questionText(question, source, planned));
  const confirmed = { settings: null, mappings: [...drifted, ...questions] };
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
