import type { Visit } from '../visits/visit.js';
import type { Desk } from '../work/desk.js';
import type { Shown } from './page.js';

/** What an operator can send, as data. Its token was checked, and that the person may act. */
export interface Form {
  /** As the router takes it. */
  readonly path: string;
  /**
   * Carries it out. Throws OperatorError for what can't be done; nothing has changed then.
   * @returns where to go on, or a page to show instead.
   */
  submit(visit: Visit, fields: FormFields, desk: Desk): Promise<FormAnswer>;
}

/** The fields of a sent form; of a repeated one all values, in their order. */
export interface FormFields {
  /** The last value; '' where there is none. */
  one(name: string): string;
  all(name: string): readonly string[];
  names(): readonly string[];
}

export type FormAnswer = { readonly to: string } | { readonly shown: Shown };
