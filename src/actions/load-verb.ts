import type { Verb } from './decision/verb.js';
import type { RequestOf, VerbName } from './decision/verb-facts.js';

/** The verbs that generic doors carry out; a rerun takes as long as a run, so that each door follows it in its own way. */
export type DecidedName = Exclude<VerbName, 'rerun'>;

/** A verb whose request and plan its door passes on. `decisionId`: null where nothing was decided. */
export type AnyVerb = Verb<unknown, unknown, { readonly decisionId: number | null }>;
export type PlannedVerb = Omit<AnyVerb, 'carryOut' | 'outcome'>;

const LOADED: { readonly rerun: () => Promise<PlannedVerb> } & {
  readonly [Name in DecidedName]: () => Promise<
    Verb<RequestOf<Name>, unknown, { readonly decisionId: number | null }>
  >;
} = {
  rerun: async () => (await import('./rerun.js')).rerun,
  dismiss: async () => (await import('./dismiss.js')).dismiss,
  map: async () => (await import('./map.js')).map,
  correct: async () => (await import('./correct/correct.js')).correct,
  replace: async () => (await import('./correct/replace.js')).replace,
  restage: async () => (await import('./restage/restage.js')).restage,
  purge: async () => (await import('./purging/purge.js')).purge,
  forget: async () => (await import('./forgetting/forget.js')).forget,
};

export function loadVerb(name: DecidedName): Promise<AnyVerb>;
export function loadVerb(name: VerbName): Promise<PlannedVerb>;
export function loadVerb(name: VerbName): Promise<PlannedVerb> {
  return LOADED[name]();
}
