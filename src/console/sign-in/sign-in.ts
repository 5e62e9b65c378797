import type { Person } from '../../domain/access/role.js';

export interface Refusal {
  /**
   * `no-role`: registrar.yaml gives the person none. `unnamed`: there is no name that could be recorded. `refused`: the provider
   * or its answer can't be trusted, so that the person has to begin again. `unavailable`: the provider can't be reached.
   */
  readonly code: 'no-role' | 'unnamed' | 'refused' | 'unavailable';
  /** For the person: plain sentences. */
  readonly text: string;
  /** For the log, without secrets; null: there is no more to say. */
  readonly detail: string | null;
}

/** Whom a proxy or a provider names, as far as they may come in. */
export type SignIn = { readonly person: Person } | { readonly refusal: Refusal };

export function refusal(code: Refusal['code'], text: string): Refusal {
  return { code, text, detail: null };
}
