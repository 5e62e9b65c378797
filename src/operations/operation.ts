import type { Learner } from '../domain/learners/learner.js';
import type { OperationKind } from '../domain/operation-kind.js';
import type { Content, FieldValue, NormalisedRecord } from '../domain/record.js';

/** How a field's cells are read; `normalise/` has one file for each kind. */
export type FieldKind =
  | 'learner'
  | 'identifier'
  | 'choice'
  | 'timestamp'
  | 'zone'
  /** The time of day of a timestamp whose own column holds only dates. */
  | 'time'
  | 'score'
  | 'status'
  | 'text'
  /** One or several texts in a cell; the value has one a line. */
  | 'list'
  /** A text that the platform shows (specification §2.5); it may have several lines. */
  | 'passage'
  | 'flag';

/** One field of an operation, as data: what it is called, how it is read, and which headers mean it. */
export interface Field {
  /** As in the specification, and in `columns:` and `defaults:` of registrar.yaml. */
  readonly name: string;
  readonly kind: FieldKind;
  /** True for a field without which a row is no record. Absent: false. */
  readonly required?: boolean;
  /** A part of the request. Other fields help people, say how fields are read or decide what happens. */
  readonly sent?: boolean;
  /** Lists of `headers` in data/words, best first; the field's own name always comes last. */
  readonly headers: readonly string[];
  /** Its value is one segment of a request's path, which not every identifier can be. */
  readonly inPath?: true;
  /** For `choice`, in the casing that is sent. Compared without case. */
  readonly choices?: readonly string[];
  /** Where neither a column nor `defaults:` gives a value. */
  readonly fallback?: string;
  /**
   * For a choice that another field's header implies ("Employee ID" as user-id implies EmployeeId): the value for
   * each of its kinds of header. A kind that is not listed implies nothing, and one of `ifAddresses` only where all
   * values of the column are addresses ("Login").
   */
  readonly implied?: {
    readonly by: string;
    readonly values: Readonly<Record<string, string>>;
    readonly ifAddresses?: readonly string[];
  };
}

/** The field is sent, or it says which rows are records and when they happened. */
export function isDeciding({ sent, kind }: Field): boolean {
  return sent === true || kind === 'status' || kind === 'zone' || kind === 'time';
}

/** One kind of request to the platform; its HTTP request is in `platform/calls/`. */
export interface Operation {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Operations on the same thing (a skill added, a skill deleted) share slots and keep their order. */
  readonly family: string;
  readonly kind: OperationKind;
  /** The fields with type and identifier of a learner; null: its records are about no learner. */
  readonly learner: { readonly type: string; readonly id: string } | null;
  /** With operation, environment and learner a record's slot, the unit of order. */
  readonly content: ContentFields;
  /** The required timestamp that identifies a record within its slot, and orders it; null: arrival orders them. */
  readonly occurrence: string | null;
  /** Of a row whose cell lists several things, in the cell's order; absent: a row is one record. */
  parts?(record: NormalisedRecord): readonly NormalisedRecord[];
  /** About the same content; absent: each leaves in its own request. */
  readonly maxPerRequest?: number;
  /** Why a record without missing fields is still incomplete, as a clause; null: it is complete. */
  lacks?(record: NormalisedRecord): string | null;
}

export interface ContentFields {
  /** The field that says what kind of thing it is, or the kind of all of them. */
  readonly type: { readonly field: string } | { readonly is: string };
  /** Absent: there is one type only. */
  readonly idType?: string;
  readonly id: string;
  /** Absent: a record is about the whole. */
  readonly part?: string;
  /** The field with its title for people; absent: there is none. */
  readonly title?: string;
}

/** The learner of the record; null where it is about no learner. */
export function learnerOf({ learner }: Operation, record: NormalisedRecord): Learner | null {
  if (learner === null) return null;
  return { type: String(requiredField(record, learner.type)), id: String(requiredField(record, learner.id)) };
}

/** Only for records about a learner. */
export function aboutLearner(
  { learner }: Operation,
  record: NormalisedRecord,
  other: Learner,
): NormalisedRecord {
  if (learner === null) return record;
  return { fields: { ...record.fields, [learner.type]: other.type, [learner.id]: other.id } };
}

export function contentOf({ content }: Operation, record: NormalisedRecord): Content {
  const text = (field: string | undefined) =>
    field === undefined ? null : String(requiredField(record, field));
  const title = content.title === undefined ? undefined : record.fields[content.title];
  return {
    type: 'is' in content.type ? content.type.is : String(requiredField(record, content.type.field)),
    idType: text(content.idType),
    id: String(requiredField(record, content.id)),
    part: text(content.part),
    title: title === undefined ? null : String(title),
  };
}

/** ISO time; null where its operation's records are ordered by arrival. */
export function occurrenceOf({ occurrence }: Operation, record: NormalisedRecord): string | null {
  return occurrence === null ? null : String(requiredField(record, occurrence));
}

export function requiredField(record: NormalisedRecord, name: string): FieldValue {
  const value = record.fields[name];
  if (value === undefined) throw new Error(`a record reached its operation without ${name}`);
  return value;
}
