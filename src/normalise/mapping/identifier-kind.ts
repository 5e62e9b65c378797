import type { SourceConfig } from '../../config/schema.js';
import { isEmailType } from '../../domain/learners/learner.js';
import { type Cell, cellText } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { identifierTypeField } from '../values/email.js';
import { areAddresses, type HeaderColumn } from './header-column.js';

/** The type of identifier that a column of learners probably holds. */
export interface IdentifierKind {
  /** A value of `user-identifier-type` (specification §2.2). */
  readonly type: 'Email' | 'EmployeeId' | 'UserId';
  /** A description of its values, the end of a sentence; null where there are none. */
  readonly values: string | null;
  /** True where the values leave no doubt. */
  readonly isSure: boolean;
}

/**
 * Addresses are of type Email. Nothing in an identifier shows which of the platform's other types it has: numbers and codes
 * mostly come from personnel systems, names and GUIDs from accounts.
 */
export function identifierKind(values: readonly Cell[]): IdentifierKind {
  if (values.length === 0) return { type: 'UserId', values: null, isSure: false };
  if (areAddresses(values)) return { type: 'Email', values: 'are addresses', isSure: true };
  const texts = values.map((cell) => cellText(cell).trim());
  const [, type, words] = FORMS.find(([form]) => texts.every((text) => form.test(text))) ?? OTHER_FORM;
  const isMixed = texts.some((text) => text.includes('@'));
  return { type, values: isMixed ? 'are addresses in part' : words, isSure: false };
}

type Form = readonly [RegExp, IdentifierKind['type'], string];

const FORMS: readonly Form[] = [
  [
    /^\{?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}?$/i,
    'UserId',
    'are GUIDs, as directories give to accounts',
  ],
  [/^\d+$/, 'EmployeeId', 'are numbers'],
  [/^\p{L}{0,4}[-_ ]?\d[\d-]*$/u, 'EmployeeId', 'are numbers with letters in front'],
];
const OTHER_FORM: Form = [/./, 'UserId', 'are names or codes'];

/** True when the source says that identifiers are of one type and the header that they are of another. */
export function contradicts(
  field: Field,
  column: HeaderColumn,
  kind: string,
  operation: Operation,
  source: Pick<SourceConfig, 'defaults'>,
): boolean {
  const typeField = field.kind === 'learner' ? identifierTypeField(operation, field) : null;
  const said = typeField ? source.defaults[typeField.name] : undefined;
  const implied = typeField ? impliedBy(typeField, kind, column) : undefined;
  if (said === undefined || implied === undefined) return false;
  const type = typeField?.choices?.find((choice) => choice.toLowerCase() === said.toLowerCase()) ?? said;
  return implied !== type && !(isEmailType(implied) && isEmailType(type));
}

/** Values that the headers of learners' columns, or addresses in them, imply for other fields, by the names of these fields. */
export function impliedValues(
  columns: readonly HeaderColumn[],
  operation: Operation,
  mapped: Readonly<Record<string, Pick<HeaderColumn, 'index'>>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const field of operation.fields) {
    const column = columns[(field.implied && mapped[field.implied.by])?.index ?? -1];
    if (column === undefined) continue;
    const kind = column.matches.find((match) => match.field === field.implied?.by)?.kind;
    const value = impliedBy(field, kind, column) ?? (areAddresses(column.values()) ? 'Email' : undefined);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

/** The value that the header implies for the other field; undefined: none, or the column's values contradict it. */
function impliedBy({ implied }: Field, kind: string | undefined, column: HeaderColumn): string | undefined {
  const value = kind === undefined ? undefined : implied?.values[kind];
  if (value === undefined || !implied?.ifAddresses?.includes(kind ?? '')) return value;
  const values = column.values();
  return values.length === 0 || areAddresses(values) ? value : undefined;
}
