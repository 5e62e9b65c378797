import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import type { Issue } from '../domain/issue.js';
import type { Ledger } from '../ledger/query.js';
import { confirmMapping, isMappingConfirmed, savedMapping } from '../ledger/saved-mapping.js';
import type { FoundHeader } from '../normalise/find-header.js';
import { headerDrift, mappingText, withSavedMapping } from '../normalise/header-drift.js';
import { operationNamed } from '../operations/registry.js';
import type { DropPlan, Planned } from './plan-drop.js';

/**
 * The plan, where its columns are read as those of the source's last published drop or a person has confirmed that
 * they are not, and has confirmed what the file itself calls in question; else the issues. Writes nothing.
 * @param ledger null where there is none yet.
 */
export function planAsKnown(ledger: Ledger | null, source: SourceConfig, planned: Planned): Planned {
  const found = 'header' in planned ? planned.header : planned;
  const known = ledger ? issuesAsKnown(ledger, source, found) : 'match' in found ? [] : found;
  const issues = 'header' in planned ? [...known, ...openQuestions(ledger, source, planned)] : known;
  return issues.length > 0 ? issues : planned;
}

/** What a person has not confirmed yet for this mapping, each with how that is done. */
function openQuestions(ledger: Ledger | null, source: SourceConfig, plan: DropPlan): readonly Issue[] {
  const open = plan.profile.questions.filter(
    (question) => !ledger || !isMappingConfirmed(ledger, source.name, questionText(question, source, plan)),
  );
  return open.map((question) => ({
    ...question,
    remedy: `${question.remedy}; or, when this reading is right, put the file into the inbox again and confirm it once: registrar run --confirm ${source.name}`,
  }));
}

/** A question counts as answered for as long as the columns are read as they are. */
function questionText({ code }: Issue, source: SourceConfig, { header }: DropPlan): string {
  return `${code} ${mappingText(header.match, operationNamed(source.operation))}`;
}

/** The same before staging, where `confirmedBy` names who says that the new reading is right: then it is recorded. */
export function requireKnownMapping(
  ledger: Ledger,
  source: SourceConfig,
  planned: Planned,
  confirmedBy: Decider | null,
  because: string | null = null,
): Planned {
  const known = planAsKnown(ledger, source, planned);
  if ('header' in known || !('header' in planned) || confirmedBy === null) return known;
  if (issuesAsKnown(ledger, source, planned.header).length > 0) {
    const text = mappingText(planned.header.match, operationNamed(source.operation));
    confirmMapping(ledger, source.name, text, confirmedBy, because);
  }
  for (const question of planned.profile.questions) {
    const text = questionText(question, source, planned);
    if (!isMappingConfirmed(ledger, source.name, text))
      confirmMapping(ledger, source.name, text, confirmedBy, because);
  }
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
  const drift = saved ? headerDrift(saved, found, operation, source) : [];
  if (drift.length === 0) return drift;
  return isMappingConfirmed(ledger, source.name, mappingText(found.match, operation)) ? [] : drift;
}
