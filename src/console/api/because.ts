import { z } from 'zod';
import { mistaken } from './read-request.js';

/** What every decision takes. */
export const decisionFields = {
  /** Why, for the record. */
  because: z.string().max(1_000).optional(),
  /** True: nothing is changed, and the answer says what would be. */
  dryRun: z.boolean().optional(),
} as const;

/** The reason of a decision that needs one. Throws ApiRefusal where there is none. */
export function requiredReason(because: string | undefined): string {
  const reason = reasonOf(because);
  if (reason !== null) return reason;
  throw mistaken('because', [
    'because: a reason is required, which is kept with the decision; or send "dryRun": true',
  ]);
}

/** The reason; null: none was given. */
export function reasonOf(because: string | undefined): string | null {
  const text = because?.trim() ?? '';
  return text === '' ? null : text;
}
