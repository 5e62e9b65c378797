import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Visit } from '../work/visit.js';

export interface AppEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: { visit: Visit };
}

/** The longest beginning of a path that names no row, learner or file: `/api/v1/rows`. */
const ANONYMOUS_PATH = /^(?:\/api\/v1)?\/[a-z-]*/;

/** For the log: the text that people type into the rest of an address may be personal. */
export function requestLine({ req }: Context): string {
  return `${req.method} ${ANONYMOUS_PATH.exec(req.path)?.[0] ?? '/'}`;
}
