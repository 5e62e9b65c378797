import { correctionSchema, replacementSchema } from './correction.js';
import { dismissalSchema, mappingSchema, rerunSchema, restagingSchema } from './decided.js';
import { forgetSchema, purgeSchema } from './erasure.js';

export const DECISIONS = {
  rerun: rerunSchema,
  dismiss: dismissalSchema,
  map: mappingSchema,
  correct: correctionSchema,
  replace: replacementSchema,
  restage: restagingSchema,
  purge: purgeSchema,
  forget: forgetSchema,
} as const;
