import type { SourceConfig } from '../config/schema.js';
import type { ZoneSaid } from '../domain/drop.js';
import type { Issue } from '../domain/issue.js';
import { type Cell, isBlankCell, isStruck, type Row } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import { type FoundHeader, fieldOf } from './mapping/find-header.js';
import type { MappedColumn } from './mapping/map-field.js';
import type { Profile } from './profile/profile.js';
import {
  claimByDefault,
  claimOfNote,
  distinctClaims,
  type ZoneClaim,
  type ZoneNote,
  zoneNoteFinder,
} from './time/zone/zone-notes.js';
import { struckText } from './values/reading.js';

/**
 * What is said about the zone of times that carry none, best first; several claims must come to the same moment. Empty: nothing is
 * said.
 * @param below notes below the header. @param column that of the times; absent: the one of the operation's first timestamp.
 */
export function claimsOf(
  operation: Operation,
  source: Pick<SourceConfig, 'defaults' | 'timeZone' | 'zoneNames'>,
  header: FoundHeader,
  below: readonly ZoneNote[] = [],
  column: Pick<MappedColumn, 'zone'> | null = fieldOf('timestamp', operation, header).column,
): readonly ZoneClaim[] {
  const { name } = fieldOf('zone', operation, header);
  const byDefault = name === null ? undefined : source.defaults[name];
  if (byDefault !== undefined) return [claimByDefault(byDefault, source.zoneNames)];
  const ofHeader = fieldOf('time', operation, header).column?.zone ?? column?.zone ?? null;
  const own = ofHeader ?? source.timeZone ?? null;
  const by = ofHeader === null ? 'timeZone of the source' : 'the header';
  const notes = [...(header.preamble?.zoneNotes ?? []), ...below];
  return distinctClaims([
    ...(own === null ? [] : [{ zone: own, words: own, by, line: null }]),
    ...notes.map((note) => claimOfNote(note, source.zoneNames)),
  ]);
}

/** What a file says about the zone of its times: in a column, and in lines above and below its rows. */
export function zonesSaid(
  operation: Operation,
  header: FoundHeader,
  { zoneNotes: below = [] }: Pick<Profile, 'zoneNotes'>,
): readonly ZoneSaid[] {
  const { column } = fieldOf('zone', operation, header);
  const notes = [...(header.preamble?.zoneNotes ?? []), ...below];
  return [
    ...(column ? [{ line: null, text: column.header }] : []),
    ...notes.map(({ line, words }) => ({ line, text: words })),
  ];
}

/** Finds notes on the zone of all times below a header. */
export function createNoteFinder(
  operation: Operation,
  { line, match }: FoundHeader,
): ReturnType<typeof zoneNoteFinder> {
  const columnsOf = (sought: Field['kind']) =>
    operation.fields.flatMap(({ name, kind }) => (kind === sought ? (match.mapped[name]?.index ?? []) : []));
  const times = columnsOf('timestamp');
  return times.length === 0 ? () => null : zoneNoteFinder({ line, learners: columnsOf('learner'), times });
}

/**
 * Finds the row's cell for the zone of its times, or for their time of day; the source's default where the row has none, but for
 * a zone, whose default is one of `claimsOf`.
 */
export function createCellFinder(
  kind: 'zone' | 'time',
  operation: Operation,
  source: Pick<SourceConfig, 'defaults'>,
  header: FoundHeader,
): (row: Row) => Cell | undefined {
  const { name, index } = fieldOf(kind, operation, header);
  const otherwise = name === null || kind === 'zone' ? undefined : source.defaults[name];
  if (index === -1) return () => otherwise;
  return (row) => (isBlankCell(row.cells[index]) ? otherwise : row.cells[index]);
}

/** Recognises rows whose status, zone or time of day is struck through: how the row is read depends on them. */
export function createStruckJudge(operation: Operation, header: FoundHeader): (row: Row) => Issue | null {
  const guides = (['status', 'zone', 'time'] as const)
    .map((kind) => fieldOf(kind, operation, header))
    .filter(({ index }) => index !== -1);
  return ({ cells }) => {
    for (const { index, label } of guides) {
      const cell = cells[index];
      if (isStruck(cell)) return struckText(label, cell).issue;
    }
    return null;
  };
}
