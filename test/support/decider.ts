import type { Decider } from '../../src/domain/decider.js';

/** A person who decides by a command. */
export function decider(name: string): Decider {
  return { name, door: 'command-line' };
}
