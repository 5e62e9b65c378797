/** A field's value in a record. */
export type FieldValue = string | number | boolean;

/**
 * A normalised row: the fields of an operation under the specification's names, nothing of the file left.
 * A field that the row doesn't give is absent. Fields that aren't sent (a title for people) are among them.
 */
export interface NormalisedRecord {
  readonly fields: Readonly<Record<string, FieldValue>>;
}
