import type { HttpBindings } from '@hono/node-server';
import type { Visit } from '../visits/visit.js';

export interface AppEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: { visit: Visit };
}
