import { userInfo } from 'node:os';
import type { Decider } from '../domain/decider.js';
import type { Io } from './io.js';

/** Whoever gives the command, for the record of what is decided by it. */
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
