/** A moment as a text writes it: nothing is checked against the calendar yet. */
export interface DateText {
  readonly date: CalendarDate | NumericDate;
  /** Since midnight, up to 86,400,000 (24:00); null for a date without a time. */
  readonly timeMs: number | null;
  /** 'UTC', an offset such as '+02:00' or an IANA name; null: none. */
  readonly zone: string | null;
}

/** A date whose parts are known from the way it is written. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/**
 * A date such as 03/04/2024: `first` and `second` are day and month, in either order. With a year of two digits, 24/03/04, the
 * year may also be the first of the three.
 */
export interface NumericDate {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  /** First of the hundred years that a year of two digits lies in; null: `third` is a year of four digits. */
  readonly pivot: number | null;
}

/** Why a text is no date, the end of a sentence that begins with the value. */
export interface DateTextProblem {
  readonly problem: string;
  /** The remedy, where it is not simply to write the time in another way. */
  readonly remedy?: string;
}
