import { sql } from 'kysely';
import { UNSENT_STATES } from '../../domain/submission.js';

/** The states of what may still be sent, for a list in SQL. In letters: a statement that is prepared by itself binds no states. */
export const unsentStates = sql.join(UNSENT_STATES.map((state) => sql.lit(state)));
