import { userInfo } from 'node:os';
import type { Io } from './io.js';

/** Whoever runs the command, for the record of decisions. */
export function whoDecides(io: Io): string {
  try {
    return io.env.SUDO_USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
