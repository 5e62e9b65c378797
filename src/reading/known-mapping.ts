import type { SourceConfig } from '../config/schema.js';
import type { Decider } from '../domain/decider.js';
import { type Issue, issueOf, refused } from '../domain/issue.js';
import { pinReading } from '../ledger/decisions/pin-reading.js';
import { mappingFacts } from '../ledger/drops/source-facts.js';
import type { Ledger } from '../ledger/store/query.js';
import { headerKey, nearestHeader, normaliseHeader } from '../normalise/header/header-text.js';
import type { FoundHeader } from '../normalise/mapping/find-header.js';
import { shown } from '../normalise/values/reading.js';
import { isDeciding, type Operation } from '../operations/operation.js';
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
  if (ledger === null) return planned;
  const read = planned.kind === 'refused' ? { ...planned, header: null } : { ...planned, issues: [] };
  const issues = await issuesAsKnown(ledger, source, read);
  return planned.kind === 'refused' || issues.length > 0 ? refused(...issues) : planned;
}

/** Does the same before staging, and records the new reading where `confirmedBy` names a person who says that it is right. */
export async function requireKnownMapping(
  ledger: Ledger,
  source: SourceConfig,
  planned: Planned,
  confirmedBy: Decider | null,
): Promise<Planned> {
  const asKnown = await planAsKnown(ledger, source, planned);
  if (asKnown.kind === 'export' || planned.kind === 'refused' || confirmedBy === null) return asKnown;
  const mapping = mappingText(planned.header.match, operationNamed(source.operation));
  const confirmed = { settings: null, mappings: [mapping] };
  await pinReading(ledger, source.name, confirmed, { who: confirmedBy, because: null });
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
  const { last, confirmed } = await mappingFacts(ledger, source);
  if (last === null) return header === null ? issues : [];
  if (header === null) return issues.map((issue) => withSavedMapping(issue, last));
  const operation = operationNamed(source.operation);
  return confirmed.has(mappingText(header.match, operation))
    ? []
    : headerDrift(last, header, operation, source);
}

interface SavedMapping {
  readonly file: string;
  readonly header: readonly string[];
  /** Field to header, as the file had it. */
  readonly mapping: Readonly<Record<string, string>>;
}

/**
 * The drift between a header and the mapping by which the source was read before: one issue with all differences, or none. A
 * field is a difference if it comes from another header, from none, or from one where it came from none before; so is a header
 * that has lost or gained the zone of its times, which moves them. No differences are the order of columns, their decoration, new
 * columns that are no field, and fields that are neither sent nor decide anything. The source's own `columns` are its word: for
 * such a column only the zone is compared, and null there is its word as well.
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
    const was = saved.mapping[field];
    const now = mapped[field];
    const words = changed(was, now?.header, saved, current);
    const isNamed =
      columns[field] === null ||
      (now?.why === 'configured' && headerKey(was ?? '') !== headerKey(now.header));
    // A new or lost column of times of day changes the keys of rows that were delivered: a person confirms that, even where the
    // source declares it.
    const isOwnWord = isNamed && field !== timeField;
    return words === null || isOwnWord ? [] : [{ field, words, column: now?.header ?? was ?? null }];
  });
  const [first] = changes;
  if (first === undefined) return [];
  const sentences = changes.map(({ field, words }) => `${field} ${words}`);
  const added = current.match.unmapped.filter((header) => !has(saved.header, header));
  const names = added.map((header) => `"${shown(header)}"`).join(', ');
  const unused = names === '' ? '' : `; new columns that are not used: ${names}`;
  return [
    issueOf(
      'header-drift',
      first.column,
      `the header in line ${current.line} is not the one that source ${source} was read by so far (${saved.file}): ${sentences.join('; ')}${unused}`,
      `name the right columns: columns: { ${first.field}: … } for the source in registrar.yaml; or, when this reading is right, put the file into the inbox again and confirm it once: registrar run --confirm ${source}`,
    ),
  ];
}

/** The issue of a file in which a field isn't found, with the header that the field came from so far. */
export function withSavedMapping(issue: Issue, { file, header, mapping }: SavedMapping): Issue {
  if (issue.code !== 'header-missing') return issue;
  const was = issue.column === null ? undefined : mapping[issue.column];
  if (was !== undefined) {
    return { ...issue, message: `${issue.message}; so far it came from "${shown(was)}" (${file})` };
  }
  if (issue.column !== null || issue.value !== null) return issue;
  const names = header.filter((name) => name.trim() !== '').map((name) => `"${shown(name)}"`);
  return { ...issue, message: `${issue.message}; so far the header was ${names.join(', ')} (${file})` };
}

/** The mapping in a form that is equal for headers between which there is no drift. */
export function mappingText(match: FoundHeader['match'], operation: Operation): string {
  const columns = operation.fields.filter(isDeciding).flatMap(({ name: field }) => {
    const column = match.mapped[field];
    const zone = column && isZoned(column.header) ? ' (zone)' : '';
    return column ? [[field, `${headerKey(column.header)}${zone}`]] : [];
  });
  return JSON.stringify(Object.fromEntries(columns.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))));
}

/** The text after the field's name in the sentence; null when nothing has changed. */
function changed(
  was: string | undefined,
  is: string | undefined,
  saved: SavedMapping,
  header: FoundHeader,
): string | null {
  const now = is === undefined ? '' : ` and would now come from "${shown(is)}"`;
  if (was === undefined) {
    if (is === undefined) return null;
    const isNew = !has(saved.header, is);
    return `came from no column and would now come from ${isNew ? 'the new column ' : ''}"${shown(is)}"`;
  }
  const from = `came from "${shown(was)}"`;
  if (is !== undefined && headerKey(was) === headerKey(is)) {
    if (isZoned(was) === isZoned(is)) return null;
    return `${from}${now}, ${isZoned(is) ? 'which names a zone now' : 'whose zone is gone'}`;
  }
  const fate = has(header.columns, was) ? 'which is still there' : 'which is gone';
  const nearest = is === undefined ? nearestHeader(was, header.match.unmapped) : null;
  const hint = nearest === null ? '' : ` (the nearest is "${shown(nearest)}")`;
  return `${from}, ${fate}${is === undefined ? hint : `,${now}`}`;
}

function has(headers: readonly string[], wanted: string): boolean {
  return headers.some((header) => headerKey(header) === headerKey(wanted));
}

function isZoned(header: string): boolean {
  return normaliseHeader(header).zone !== null;
}
