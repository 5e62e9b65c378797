import type { SourceConfig } from '../../config/schema.js';
import type { ExplainedField } from '../../documents/trace.js';
import type { FieldValue } from '../../domain/record.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import { claimsOf, createCellFinder } from '../../normalise/field-reader.js';
import { type FoundHeader, fieldOf } from '../../normalise/mapping/find-header.js';
import { fieldPlans } from '../../normalise/normalise-row.js';
import type { Profile } from '../../normalise/profile/profile.js';
import type { DateOrder } from '../../normalise/time/date-order.js';
import type { ZoneClaim } from '../../normalise/time/zone/zone-notes.js';
import { UNDECIDED } from '../../normalise/values/reading.js';
import { trimText } from '../../normalise/values/trim-text.js';
import type { Operation } from '../../operations/operation.js';
import { SCORE_SCALES, type ScoreScale } from '../../operations/score-scales.js';

/**
 * The function that explains how a source reads a drop's rows, field by field in the operation's order, with the same readers as
 * staging. Fields without a column and a default are left out. A cell whose meaning only the whole column could prove has no
 * `after` here.
 */
export function createRowExplainer(
  operation: Operation,
  source: SourceConfig,
  header: FoundHeader,
  profile: Profile,
  nowMs: number,
): (row: Row) => readonly ExplainedField[] {
  const rules = { operation, source, header };
  const plans = fieldPlans({ ...rules, profile, nowMs });
  const zoneOf = createCellFinder('zone', rules);
  const timeOf = createCellFinder('time', rules);
  const kinds = new Map(operation.fields.map(({ name, kind }) => [name, kind]));
  return (row) => {
    const fields: Record<string, FieldValue> = {};
    const read = plans.flatMap(({ name, index, read, otherwise }): ExplainedField[] => {
      const column = header.match.mapped[name];
      const cell = column === undefined ? null : (row.cells[index] ?? null);
      const zoneCell = zoneOf(row);
      const timeCell = timeOf(row);
      const reading = column === undefined ? null : read(cell, fields, row);
      const before = isBlankCell(cell) ? null : cellText(cell);
      const of = (after: FieldValue | null, rule: string) => {
        if (after !== null) fields[name] = after;
        return [{ field: name, column: column?.header ?? null, before, after, rule }];
      };
      if (reading === UNDECIDED) return of(null, 'needs the whole column');
      if (reading !== null && 'issue' in reading) return of(null, `refused: ${reading.issue.code}`);
      if (reading !== null && reading.value !== null) {
        const kind = kinds.get(name) ?? 'text';
        const [claim = null] = claimsOf(rules, profile.zoneNotes, column ?? null);
        const order = source.dateOrder ?? profile.dateOrders[name] ?? null;
        if (kind === 'timestamp') return of(reading.value, timeRule(cell, order, claim, zoneCell, timeCell));
        if (kind === 'score') return of(reading.value, scoreRule(cell, source.scale ?? '0-100'));
        return of(reading.value, textRule(cell, String(reading.value)));
      }
      if (reading?.omitted) return of(null, `left out: ${reading.omitted.code}`);
      const standIn = otherwise?.(fields) ?? null;
      if (standIn === null || 'issue' in standIn || standIn.value === null) {
        return column === undefined ? [] : of(null, before === null ? 'empty' : 'means no value');
      }
      return of(standIn.value, stoodIn(name, source, header));
    });
    // The status is no field of the record: it decides whether there is a record.
    const { name, column, index } = fieldOf('status', rules);
    const before = isBlankCell(row.cells[index]) ? null : cellText(row.cells[index]);
    const status = { field: name ?? '', before, after: null, rule: 'decides whether the row counts' };
    const all = column ? [...read, { ...status, column: column.header }] : read;
    return operation.fields.flatMap(({ name }) => all.find(({ field }) => field === name) ?? []);
  };
}

function stoodIn(name: string, source: SourceConfig, header: FoundHeader): string {
  if (source.defaults[name] !== undefined) return 'source default';
  return header.match.implied[name] === undefined ? 'default' : 'from the header';
}

/** An offset, a Z or the name of a zone at the end says in which zone a time is. */
const OWN_ZONE = /(?:[Zz]|[+-]\d{1,2}:?\d{2}|\b[A-Z]{2,5})\)?$/;

function timeRule(
  cell: Cell,
  order: DateOrder | null,
  claim: ZoneClaim | null,
  zoneCell: Cell | undefined,
  timeCell: Cell | undefined,
): string {
  const isText = typeof cell === 'string';
  const parts: string[] = order !== null && isText && /^\s*\d{1,2}\D/.test(cell) ? [order] : [];
  if (!isText) parts.push('workbook date');
  if (!isBlankCell(timeCell)) parts.push(`at ${cellText(timeCell)}`);
  if (isText && OWN_ZONE.test(trimText(cell))) parts.push('its own zone');
  else if (!isBlankCell(zoneCell)) parts.push(`in ${cellText(zoneCell)}`);
  else if (claim !== null)
    parts.push(claim.line === null ? `in ${claim.words}` : `in ${claim.words} by line ${claim.line}`);
  return `${parts.join(', ')}, as UTC`;
}

function scoreRule(cell: Cell, scale: ScoreScale): string {
  const text = cellText(cell).trim();
  if (text.endsWith('%')) return 'percent';
  if (text.includes('/')) return 'fraction of 100';
  return scale === '0-100' ? 'of 100' : `of ${SCORE_SCALES[scale].best}, as of 100`;
}

function textRule(cell: Cell, after: string): string {
  if (typeof cell !== 'string') return 'exact digits';
  const trimmed = trimText(cell);
  const steps = trimmed === cell ? [] : ['trimmed'];
  if (trimmed !== after) steps.push(trimmed.toLowerCase() === after ? 'lower case' : 'canonical form');
  return steps.length === 0 ? 'as is' : steps.join(', ');
}
