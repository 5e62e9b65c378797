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
  /** One text on one line. */
  | 'text'
  /** One or several texts in a cell; the value has one a line. */
  | 'list'
  /** A text that the platform shows (specification §2.5); it may have several lines. */
  | 'passage'
  /** True or false. */
  | 'flag';

/** One field of an operation, as data: what it is called, how it is read, and which headers mean it. */
export interface Field {
  /** The specification's name, also used in `columns:` and `defaults:` of registrar.yaml. */
  readonly name: string;
  readonly kind: FieldKind;
  /** True for a field without which a row is no record. Absent: false. */
  readonly required?: boolean;
  /**
   * True for a part of the request. Absent: false; other fields help people (a title), say how fields are read (a zone) or decide what happens
   * (a status).
   */
  readonly sent?: boolean;
  /**
   * The kinds of header that mean this field, best first: lists of `headers` in data/words. The comparison ignores spaces and
   * hyphens ("CourseID" is "course id"), and the field's own name always comes last.
   */
  readonly headers: readonly string[];
  /** True for a field whose value is one segment of a request's path, which not every identifier can be. Absent: false. */
  readonly inPath?: true;
  /** For `choice`: the values it takes, in the casing that is sent. Compared without case. */
  readonly choices?: readonly string[];
  /** The value where neither a column nor `defaults:` gives one; absent: none. */
  readonly fallback?: string;
  /**
   * For a choice that another field's header can imply ("Employee ID" as user-id implies EmployeeId):
   * the other field and the value for each of its kinds of header. A kind that is not listed implies nothing, and one of
   * `ifAddresses` only where no value of the column is anything but an address ("Login").
   */
  readonly implied?: {
    readonly by: string;
    readonly values: Readonly<Record<string, string>>;
    readonly ifAddresses?: readonly string[];
  };
}

/** True for a field whose column matters: the field is sent, or it says which rows are records and when they happened. */
export function isDeciding({ sent, kind }: Field): boolean {
  return sent === true || kind === 'status' || kind === 'zone' || kind === 'time';
}

/**
 * One kind of request to the platform: the facts that intake, ledger and report need. The HTTP request for it is in
 * `platform/calls/`.
 */
export interface Operation {
  readonly name: string;
  readonly fields: readonly Field[];
  /**
   * The family of operations that share slots: operations on the same thing (a skill added, a skill deleted) have the same name
   * here and keep their order.
   */
  readonly family: string;
  readonly kind: OperationKind;
  /** The names of the fields with the type of a learner's identifier, and with the identifier; null: its records are about no learner. */
  readonly learner: { readonly type: string; readonly id: string } | null;
  /** What a record is about: with operation, environment and learner its slot, the unit of order. */
  readonly content: ContentFields;
  /**
   * The name of the required timestamp that identifies a record within its slot, and orders it there; null where records of a
   * slot are ordered by arrival.
   */
  readonly occurrence: string | null;
  /** The records of a row whose cell lists several things, in the cell's order; absent: a row is one record. */
  parts?(record: NormalisedRecord): readonly NormalisedRecord[];
  /** The most records about the same content that leave in one request; absent: each leaves in its own. */
  readonly mostPerRequest?: number;
  /** Why a record without missing fields is still incomplete, as a clause; null: it is complete. */
  lacks?(record: NormalisedRecord): string | null;
}

/** The names of the fields that say what a record is about. */
export interface ContentFields {
  /** What kind of thing it is: the field that says so, or the kind of all of them. */
  readonly type: { readonly field: string } | { readonly is: string };
  /** The field with the type of the identifier; absent: there is one type only. */
  readonly idType?: string;
  readonly id: string;
  /** The field with the part of it that the record is about; absent: a record is about the whole. */
  readonly part?: string;
  /** The field with its title for people; absent: there is none. */
  readonly title?: string;
}

/** The learner of the record; null where it is about no learner. */
export function learnerOf({ learner }: Operation, record: NormalisedRecord): Learner | null {
  if (learner === null) return null;
  return { type: String(requiredField(record, learner.type)), id: String(requiredField(record, learner.id)) };
}

/** The same record about another learner. Only for records about a learner. */
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

/** When a record occurred, as ISO time; null where its operation's records are ordered by arrival. */
export function occurrenceOf({ occurrence }: Operation, record: NormalisedRecord): string | null {
  return occurrence === null ? null : String(requiredField(record, occurrence));
}

export function requiredField(record: NormalisedRecord, name: string): FieldValue {
  const value = record.fields[name];
  if (value === undefined) throw new Error(`a record reached its operation without ${name}`);
  return value;
}
