import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { type Issue, issueOf, refused } from '../domain/issue.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { confirmedMappings, lastMapping } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';
import { headerKey, normaliseHeader } from '../normalise/header/header-text.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { shown } from '../normalise/values/reading.js';
import { isDeciding, type Operation } from '../operations/operation.js';
import { operationNamed } from '../operations/registry.js';
import type { PlanResult } from './plan-drop.js';

/**
 * Returns the plan where its columns are read like those of the source's last published drop, or a person has confirmed the
 * difference. Otherwise returns the issues.
 * @param ledger null where there is none yet. @param confirmedBy a person who says that the new reading is right, which is recorded
 * then; null: none has, and nothing is written.
 */
export async function requireKnownMapping(
  ledger: Ledger | null,
  source: SourceConfig,
  planned: PlanResult,
  confirmedBy: Decider | null,
): Promise<PlanResult> {
  if (ledger === null || planned.kind === 'refused') return planned;
  const issues = await driftOf(ledger, source, planned.header);
  if (issues.length === 0) return planned;
  if (confirmedBy === null) return refused(...issues);
  const mapping = mappingText(planned.header.match, operationNamed(source.operation));
  const confirmed = { settings: null, mappings: [mapping] };
  await pinReading(ledger, source.name, confirmed, { who: confirmedBy, because: null });
  return planned;
}

/** How a header differs from the one by which the source was read so far, unless a person has confirmed that. */
export async function driftOf(
  ledger: Ledger,
  source: SourceConfig,
  header: FoundHeader,
): Promise<readonly Issue[]> {
  const last = await lastMapping(ledger, source.name, source.operation);
  const operation = operationNamed(source.operation);
  const issues = last === null ? [] : headerDrift(last, header, operation, source);
  if (issues.length === 0) return [];
  return (await confirmedMappings(ledger, source.name)).has(mappingText(header.match, operation))
    ? []
    : issues;
}

interface SavedMapping {
  readonly file: string;
  readonly header: readonly string[];
  /** Field to header, as the file had it. */
  readonly mapping: Readonly<Record<string, string>>;
}

/**
 * The drift between a header and the mapping by which the source was read before: one issue with all differences, or none. A field
 * that is sent or decides differs if it comes from another header, or from none before or now; so does a header that has lost or gained
 * the zone of its times. The source's own `columns` are its word: for such a column only the zone is compared.
 */
export function headerDrift(
  saved: SavedMapping,
  current: FoundHeader,
  operation: Operation,
  { name: source, columns }: Pick<SourceConfig, 'name' | 'columns'>,
): readonly Issue[] {
  const { mapped } = current.match;
  const timeField = operation.fields.find(({ kind }) => kind === 'time')?.name;
  const changes = operation.fields.filter(isDeciding).flatMap(({ name: field }) => {
    const before = saved.mapping[field];
    const now = mapped[field];
    const isNamed =
      columns[field] === null ||
      (now?.why === 'configured' && headerKey(before ?? '') !== headerKey(now.header));
    // A new or lost column of times of day changes the keys of rows that were delivered: a person confirms that, even where the
    // source declares it.
    const isOwnWord = isNamed && field !== timeField;
    if (isOwnWord || keyOf(before) === keyOf(now?.header)) return [];
    const words = `${field} came from ${named(before)} and would now come from ${named(now?.header)}`;
    return [{ field, words, column: now?.header ?? before ?? null }];
  });
  const [first] = changes;
  if (first === undefined) return [];
  const headers = new Set(saved.header.map(headerKey));
  const added = current.match.unmapped.filter((header) => !headers.has(headerKey(header)));
  const names = added.map((header) => `"${shown(header)}"`).join(', ');
  const unused = names === '' ? '' : `; new columns that are not used: ${names}`;
  return [
    issueOf(
      'header-drift',
      first.column,
      `the header in line ${current.line} maps differently from that of the last file of source ${source} (${saved.file}): ${changes.map(({ words }) => words).join('; ')}${unused}`,
      `name the right columns: columns: { ${first.field}: … } for the source in registrar.yaml; or, when this reading is right, put the file into the inbox again and confirm it once: registrar run --confirm ${source}`,
    ),
  ];
}

/** The mapping in a form that is equal for headers between which there is no drift. */
export function mappingText(match: FoundHeader['match'], operation: Operation): string {
  const columns = operation.fields.filter(isDeciding).flatMap(({ name: field }) => {
    const column = match.mapped[field];
    return column ? [[field, keyOf(column.header)]] : [];
  });
  return JSON.stringify(Object.fromEntries(columns.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))));
}

/** A header's name, with the mark of a zone: that of its times moves them. '' where there is no column. */
function keyOf(header: string | undefined): string {
  if (header === undefined) return '';
  return `${headerKey(header)}${normaliseHeader(header).zone === null ? '' : ' (zone)'}`;
}

function named(header: string | undefined): string {
  return header === undefined ? 'no column' : `"${shown(header)}"`;
}
