import type { SourceConfig } from '../config/schema.js';
import { msFromIso } from '../domain/clock.js';
import type { StatedZone } from '../domain/drop.js';
import { isEmailType } from '../domain/learners/learner.js';
import type { FieldValue } from '../domain/record.js';
import { type Cell, isBlankCell, isStruck, isUnsavedFormula, type Row } from '../domain/row.js';
import type { Field } from '../operations/operation.js';
import { normaliseHeader } from './header/header-text.js';
import { fieldOf, type TableRules } from './mapping/find-header.js';
import { namesCompletion } from './mapping/header-aliases.js';
import type { MappedColumn } from './mapping/map-field.js';
import type { Profile } from './profile/profile.js';
import { undeclaredStatus } from './status/judge-status.js';
import { type DateRules, monthNames, parseDateText } from './time/parse-date-text.js';
import { patternsReader } from './time/read-pattern.js';
import { readTimeOfDay } from './time/time-of-day.js';
import { readTimestamp, type TimestampContext } from './time/timestamp.js';
import {
  claimByDefault,
  claimOfNote,
  readZone,
  type ZoneClaim,
  type ZoneNote,
  zoneNoteFinder,
} from './time/zone/zone-notes.js';
import { identifierTypeField, readEmail } from './values/email.js';
import { readCode, readSegment, refuseUrl, URL_TYPE } from './values/identifier.js';
import { type Reading, remembering, struckText, unsavedFormula } from './values/reading.js';
import { readScore } from './values/score.js';
import { statusVocabulary } from './values/status.js';
import { readChoice, readFlag, readList, readPassage, readText } from './values/text.js';

/**
 * Reads one field's cell. `fields` holds the row's fields so far: a learner is read by its type. `row` may have its zone and time of day
 * in other columns; absent for a default.
 */
export type FieldReader = (
  cell: Cell | undefined,
  fields: Readonly<Record<string, FieldValue>>,
  row?: Row,
) => Reading<FieldValue>;

/** All that decides how a drop's rows are read. */
export interface DropFacts extends TableRules {
  readonly profile: Profile;
  readonly nowMs: number;
}

/**
 * Creates the reader of a field, once for a drop. Struck-through text and a formula without a saved value are refused whatever the
 * field. For a field without a column it reads the default.
 */
export function createFieldReader(field: Field, facts: DropFacts): FieldReader {
  const column = facts.header.match.mapped[field.name]?.header ?? field.name;
  const read = valueReader(field, facts);
  return (cell, fields, row) => {
    if (isStruck(cell)) return struckText(column, cell);
    if (isUnsavedFormula(cell)) return unsavedFormula(column);
    return read(cell, fields, row);
  };
}

function valueReader(field: Field, facts: DropFacts): FieldReader {
  const { operation, source, header, profile } = facts;
  const column = header.match.mapped[field.name]?.header ?? field.name;
  const isWholeColumn = profile.isWhole;
  switch (field.kind) {
    case 'learner': {
      const type = identifierTypeField(operation, field)?.name;
      const context = { column, shape: profile.shapes[field.name] ?? null, isWholeColumn };
      return (cell, fields) =>
        type !== undefined && isEmailType(fields[type]) ? readEmail(cell, context) : readCode(cell, context);
    }
    case 'identifier': {
      const context = { column, shape: profile.shapes[field.name] ?? null, isWholeColumn };
      const read = field.inPath ? readSegment : readCode;
      const type = untypedBy(field, facts);
      if (type === null) return remembering((cell) => read(cell, context));
      return remembering((cell) => refuseUrl(cell, column, type) ?? read(cell, context));
    }
    case 'choice': {
      const context = { column, choices: field.choices ?? [] };
      return remembering((cell) => readChoice(cell, context));
    }
    case 'timestamp': {
      const context = timestampContext(field, facts);
      const zoneOf = createCellFinder('zone', facts);
      const timeOf = createCellFinder('time', facts);
      return (cell, _, row) => readTimestamp(cell, context, row && zoneOf(row), row && timeOf(row));
    }
    case 'score': {
      const context = {
        column,
        field: field.name,
        scale: source.scale ?? null,
        proven: profile.scales[field.name] ?? null,
        isWholeColumn,
        unreadable: source.scoreUnreadable,
        decimalMark: source.decimalMark ?? null,
        verdicts: undeclaredStatus(facts) ? statusVocabulary(source.status) : null,
      };
      return remembering((cell) => readScore(cell, context));
    }
    case 'text':
      return remembering(readText);
    case 'passage':
      return readPassage;
    case 'flag': {
      const context = { column };
      return remembering((cell) => readFlag(cell, context));
    }
    case 'list': {
      const separator = source.listSeparator;
      return remembering((cell) => readList(cell, separator));
    }
    default:
      throw new Error(`${field.name} says how its row is read and is no field of the record`);
  }
}

/** The field that says the type of the operation's content, where neither a column nor the source gives it; null: they do. */
function untypedBy(field: Field, { operation, source, header }: TableRules): string | null {
  const type = field.required
    ? operation.fields.find(({ choices }) => choices?.includes(URL_TYPE))
    : undefined;
  const isDeclared = type && (header.match.mapped[type.name] || source.defaults[type.name] !== undefined);
  return type && !isDeclared ? type.name : null;
}

function timestampContext(field: Field, facts: DropFacts): TimestampContext {
  const { source, header, profile } = facts;
  const column = header.match.mapped[field.name] ?? null;
  const zone = fieldOf('zone', facts);
  const timeColumn = fieldOf('time', facts).label;
  const isDoubtful = zone.column?.why === 'alias' && !namesCompletion(normaliseHeader(zone.label).text);
  const zones = { column: zone.label, zones: source.zoneNames, field: zone.name ?? '' };
  const times = { column: timeColumn, zones: source.zoneNames };
  const rules = dateRules(source);
  return {
    column: column?.header ?? field.name,
    claims: claimsOf(facts, profile.zoneNotes, column),
    timeColumn,
    timeOfRow: remembering((cell) => readTimeOfDay(cell, times)),
    zoneOfRow: remembering((cell) => readZone(cell, zones)),
    order: source.dateOrder ?? profile.dateOrders[field.name] ?? null,
    doubtfulZones: isDoubtful ? zone.label : null,
    zoneField: zone.name ?? '',
    isWholeColumn: profile.isWhole,
    // A default is written in registrar.yaml, not by the system that uses these patterns.
    parse:
      source.datePatterns.length > 0 && column !== null
        ? patternsReader(source.datePatterns, rules)
        : (text) => parseDateText(text, rules),
    dateOnly: source.dateOnly,
    overlap: source.overlap,
    earliestMs: msFromIso(`${source.earliest}T00:00:00Z`),
    latestMs: facts.nowMs + source.futureMs,
  };
}

export function dateRules(
  source: Pick<SourceConfig, 'twoDigitYears' | 'languages' | 'zoneNames'>,
): DateRules {
  return {
    twoDigitYears: source.twoDigitYears ?? null,
    monthOf: monthNames(source.languages),
    zones: source.zoneNames,
  };
}

/**
 * Claims about the zone of times that carry none, best first; several must give the same moment.
 * @param below notes below the header. @param column that of the times; absent: the one of the operation's first timestamp.
 */
export function claimsOf(
  rules: TableRules,
  below: readonly ZoneNote[] = [],
  column: Pick<MappedColumn, 'zone'> | null = fieldOf('timestamp', rules).column,
): readonly ZoneClaim[] {
  const { source, header } = rules;
  const { name } = fieldOf('zone', rules);
  const byDefault = name === null ? undefined : source.defaults[name];
  if (byDefault !== undefined) return [claimByDefault(byDefault, source.zoneNames)];
  const ofHeader = fieldOf('time', rules).column?.zone ?? column?.zone ?? null;
  const own = ofHeader ?? source.timeZone ?? null;
  const by = ofHeader === null ? 'timeZone of the source' : 'the header';
  return [
    ...(own === null ? [] : [{ zone: own, words: own, by, line: null }]),
    ...[...(header.zoneNotes ?? []), ...below].map((note) => claimOfNote(note, source.zoneNames)),
  ];
}

/** What a file says about the zone of its times: in a column, and in lines above and below its rows. */
export function statedZones(
  rules: Pick<TableRules, 'operation' | 'header'>,
  { zoneNotes: below = [] }: Profile,
): readonly StatedZone[] {
  const { column } = fieldOf('zone', rules);
  return [
    ...(column ? [{ line: null, text: column.header }] : []),
    ...[...(rules.header.zoneNotes ?? []), ...below].map(({ line, words }) => ({ line, text: words })),
  ];
}

/** Finds notes on the zone of all times below a header. */
export function createNoteFinder({ operation, header: { line, match } }: TableRules) {
  const columnsOf = (sought: Field['kind']) =>
    operation.fields.flatMap(({ name, kind }) => (kind === sought ? (match.mapped[name]?.index ?? []) : []));
  const times = columnsOf('timestamp');
  return times.length === 0 ? () => null : zoneNoteFinder(line, columnsOf('learner'), times);
}

/**
 * Finds the row's cell for the zone of its times, or for their time of day; the source's default where the row has none, but for
 * a zone, whose default is one of `claimsOf`.
 */
export function createCellFinder(kind: 'zone' | 'time', rules: TableRules): (row: Row) => Cell | undefined {
  const { name, index } = fieldOf(kind, rules);
  const otherwise = name === null || kind === 'zone' ? undefined : rules.source.defaults[name];
  if (index === -1) return () => otherwise;
  return (row) => (isBlankCell(row.cells[index]) ? otherwise : row.cells[index]);
}
