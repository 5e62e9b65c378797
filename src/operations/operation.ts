import type { Learner } from '../domain/learner.js';
import type { OperationKind } from '../domain/operation-kind.js';
import type { FieldValue, NormalisedRecord } from '../domain/record.js';

/** How a field's cells are read; `normalise/` has one file for each kind. */
export type FieldKind =
  | 'learner'
  | 'identifier'
  | 'choice'
  | 'timestamp'
  | 'zone'
  /** The time of day of a timestamp whose own column holds dates alone. */
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
  /** Without it a row is no record. */
  readonly required: boolean;
  /** Part of the request; otherwise it helps people (a title), says how others are read (a zone) or what happens (a status). */
  readonly sent: boolean;
  /**
   * Headers that mean this field, best first; lower case, single spaces. Spaces and hyphens don't count when they
   * are compared ("CourseID" is "course id"), and the field's own name is always the last of them.
   */
  readonly aliases: readonly string[];
  /** Absent: false. Its value is one segment of a request's path, which not every identifier can be. */
  readonly inPath?: true;
  /** For `choice`: the values it takes, in the casing that is sent. Compared without case. */
  readonly choices?: readonly string[];
  /** The value where neither a column nor `defaults:` gives one; absent: none. */
  readonly fallback?: string;
  /**
   * For a choice that another field's header can imply ("Employee ID" as user-id implies EmployeeId):
   * the other field and, for each of its aliases, the value. An alias that is not listed implies nothing, and one of
   * `ifAddresses` only where no value of the column is anything but an address ("Login").
   */
  readonly implied?: {
    readonly by: string;
    readonly values: Readonly<Record<string, string>>;
    readonly ifAddresses?: readonly string[];
  };
}

/** True for a field whose column matters: it is sent, or says which rows are records and when they happened. */
export function isDeciding({ sent, kind }: Field): boolean {
  return sent || kind === 'status' || kind === 'zone' || kind === 'time';
}

/**
 * One thing the platform can be asked to do: the business record that intake, ledger and report need to know. How the
 * platform is asked for it is in `platform/calls/`.
 */
export interface Operation {
  readonly name: string;
  readonly fields: readonly Field[];
  /** What slots are of: operations on the same thing (a skill added, a skill deleted) name it alike and keep their order. */
  readonly family: string;
  readonly kind: OperationKind;
  /** The person the record is about; null where it is about nobody. */
  learner(record: NormalisedRecord): Learner | null;
  /** The same record about another learner. Only for records that are about one. */
  aboutLearner(record: NormalisedRecord, learner: Learner): NormalisedRecord;
  /** With operation, environment and learner: what the record is about. Unit of order. */
  slot(record: NormalisedRecord): readonly string[];
  /**
   * The required timestamp that makes a record this occurrence within its slot, and orders it there; null where records of a
   * slot are ordered by arrival.
   */
  readonly occurrence: string | null;
  /** The records of a row whose cell lists several things, the first of them first; absent: a row is one record. */
  parts?(record: NormalisedRecord): readonly NormalisedRecord[];
  /** Which records may leave in one request; absent: each leaves in its own. */
  readonly sharing?: Sharing;
  /** What keeps a record from being one although no field is missing, as a clause; null: nothing. */
  lacks?(record: NormalisedRecord): string | null;
}

/** Records that leave in one request. */
export interface Sharing {
  /** Most records of a request. */
  readonly most: number;
  /** Records for which this is equal share a request. */
  group(record: NormalisedRecord): readonly string[];
}

/** When a record occurred, as ISO time; null where its operation's records are ordered by arrival. */
export function occurrenceOf({ occurrence }: Operation, record: NormalisedRecord): string | null {
  return occurrence === null ? null : String(requiredField(record, occurrence));
}

/** A field that must be there once a row has become a record. */
export function requiredField(record: NormalisedRecord, name: string): FieldValue {
  const value = record.fields[name];
  if (value === undefined) throw new Error(`a record reached its operation without ${name}`);
  return value;
}
