export type FieldValue = string | number | boolean;

/**
 * A normalised row: the fields of an operation under the specification's names, nothing of the file left.
 * A field that the row doesn't give is absent. Fields that aren't sent (a title for people) are among them.
 */
export interface NormalisedRecord {
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** What a record is about: a course, a skill of a content, a group. */
export interface Content {
  /** What kind of thing it is, in the platform's words. */
  readonly type: string;
  /** The type of its identifier; null where things of its kind have only one. */
  readonly idType: string | null;
  readonly id: string;
  /** The part of it that the record is about, for instance one of its skills; null: the whole. */
  readonly part: string | null;
  /** Its title for people, which doesn't identify it; null: unknown. */
  readonly title: string | null;
}
