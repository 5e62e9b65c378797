import { sourceSchema } from '../../src/config/schema/source-schema.js';
import type { SourceConfig } from '../../src/config/schema.js';
import { type Clock, msFromIso } from '../../src/domain/clock.js';
import type { Cell, Row } from '../../src/domain/row.js';
import { type FoundHeader, findHeader, type HeaderSearch } from '../../src/normalise/mapping/find-header.js';
import { createRowNormaliser, type NormalisedRow } from '../../src/normalise/normalise-row.js';
import { NO_PROFILE, type Profile } from '../../src/normalise/profile/profile.js';
import type { Operation } from '../../src/operations/operation.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { sampleProfile, wholeProfile } from '../../src/reading/table.js';

/** A source with the schema's defaults. */
export function sourceWith(settings: Record<string, unknown> = {}): SourceConfig {
  return sourceSchema.parse({
    name: 'academy',
    operation: 'submit-completion',
    environment: 'main',
    ...settings,
  });
}

/** A clock that is stopped at the given moment. */
export function clockAt(iso: string): Clock {
  return {
    nowMs: () => msFromIso(iso),
    monotonicMs: () => 0,
    bootId: 'test',
    sleep: () => Promise.resolve(),
  };
}

/** Rows with line numbers from 1. */
export function rowsOf(lines: readonly (readonly Cell[])[]): Row[] {
  return lines.map((cells, index) => ({ line: index + 1, cells }));
}

/** The header of these rows; fails the test where there is none. */
export function headerOf(lines: readonly (readonly Cell[])[], source = sourceWith()): FoundHeader {
  return foundHeader(findHeader(rowsOf(lines), submitCompletion, source));
}

/** The header that was found; fails the test where there is none. */
export function foundHeader(search: HeaderSearch): FoundHeader {
  if (search.kind === 'found') return search.header;
  throw new Error(search.issues.map(({ message }) => message).join('; '));
}

/** Normalises every line of a small file, with a clock at the end of 2024. */
export function normaliseFile(
  lines: readonly (readonly Cell[])[],
  source = sourceWith({ timeZone: 'UTC' }),
  profile: Profile = NO_PROFILE,
): NormalisedRow[] {
  const clock = clockAt('2024-12-31T00:00:00Z');
  const normalise = createRowNormaliser(submitCompletion, source, headerOf(lines, source), profile, clock);
  return rowsOf(lines).map(normalise);
}

/**
 * The line that requests a profile of the whole file when its first `sampled` rows have been looked at, null where none
 * does; 'whole' where these request it themselves.
 */
export function firstUndecided(
  rows: readonly Row[],
  sampled: number,
  source: SourceConfig,
): number | 'whole' | null {
  const header = headerOf(
    rows.map(({ cells }) => cells),
    source,
  );
  const profile = profileSample(rows.slice(0, sampled), header, submitCompletion, source);
  if (profile === null) return 'whole';
  const clock = clockAt('2024-12-31T00:00:00Z');
  const normalise = createRowNormaliser(submitCompletion, source, header, profile, clock);
  return rows.find((row) => normalise(row).disposition === 'undecided')?.line ?? null;
}

/** The `sampleProfile` of a table. */
export function profileSample(
  sample: readonly Row[],
  header: FoundHeader,
  { name: operation }: Operation,
  source: SourceConfig,
): Profile | null {
  const rows = async function* () {};
  return sampleProfile({ header, sample, countsCells: false, rows }, { ...source, operation });
}

/** The `wholeProfile` of a table. */
export function profileDrop(
  rows: AsyncIterable<readonly Row[]>,
  header: FoundHeader,
  { name: operation }: Operation,
  source: SourceConfig,
): Promise<Profile> {
  const table = { header, sample: [], countsCells: false, rows: () => rows };
  return wholeProfile(table, { ...source, operation });
}
