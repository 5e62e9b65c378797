import type { Decider } from '../../domain/decider.js';
import { errorsOf, type OperatorError } from '../../domain/operator-error.js';
import type { RichText, Table } from '../../report/sections/section.js';
import type { ActionContext } from '../context.js';

/** A decision with a preview, as the command line, the console and the API carry it out. */
export interface Verb<Request, Plan, Done> {
  /** Works out what the decision would do; writes nothing. Throws OperatorError where it can't be made. */
  plan(context: ActionContext, request: Request): Promise<Plan>;
  /** Throws OperatorError for a reason that is missing. What has changed since the plan was made is left alone. */
  carryOut(context: ActionContext, plan: Plan, who: Decider, because: string | null): Promise<Done>;
  preview(plan: Plan): Preview;
  /** What was done, one sentence per entry. */
  outcome(plan: Plan, done: Done): readonly string[];
  /** The JSON document. @param done null: nothing was decided. */
  document(plan: Plan, done: Done | null, dryRun: boolean): object;
  /** The rows of a plan, which are the last member of its document, `selected`. */
  rows?(context: ActionContext, plan: Plan): AsyncIterable<unknown>;
  /** True if something still needs attention. @param done null: nothing was decided. */
  leavesWork?(plan: Plan, done: Done | null, dryRun: boolean): boolean;
}

/** What a decision would do, in the words that the terminal and the console show. */
export interface Preview {
  /** What it is about, in figures; without a full stop. */
  readonly headline: RichText;
  readonly lines: readonly RichText[];
  readonly tables: readonly Table[];
  /** False where nothing would change, so that nothing is decided. */
  readonly changes: boolean;
  /** Changes when the plan does, so that a decision on an outdated preview is noticed. */
  readonly fingerprint: string;
}

/** The error for a decision without its required reason. */
export function reasonMissing(name: string): OperatorError {
  const message = `${name} needs a reason, which is kept with the decision`;
  const hint = 'Say why (--because at the command line); a preview needs no reason.';
  return errorsOf(name)('because', message, hint, { reason: 'invalid' });
}

/** Returns the reason. Throws OperatorError if it is missing. */
export function requiredReason(name: string, because: string | null | undefined): string {
  if (because?.trim()) return because;
  throw reasonMissing(name);
}
