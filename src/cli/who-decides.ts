import { userInfo } from 'node:os';
import type { Decider } from '../domain/decider.js';
import type { Io } from './io.js';

/** The person who gives the command, recorded with its decisions. */
export function whoDecides(io: Io): Decider {
  return { name: accountOf(io), door: 'command-line' };
}

function accountOf({ env }: Io): string {
  try {
    return env.SUDO_USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
