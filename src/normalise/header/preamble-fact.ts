/** A fact from the lines above a header, about all rows. */
export interface PreambleFact {
  readonly value: string;
  /** Its label in these lines; null for a zone that stands within a sentence. */
  readonly label: string | null;
  readonly line: number;
}
