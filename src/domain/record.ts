export type FieldValue = string | number | boolean;

/** By the specification's names. A field that the row doesn't give is absent; unsent fields are among them. */
export interface NormalisedRecord {
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/** What a record is about: a course, a skill of a content, a group. */
export interface Content {
  /** In the platform's words. */
  readonly type: string;
  /** null where things of its kind have only one type of identifier. */
  readonly idType: string | null;
  readonly id: string;
  /** The part that the record is about, for instance one of its skills; null: the whole. */
  readonly part: string | null;
  /** For people; it doesn't identify the content. */
  readonly title: string | null;
}
