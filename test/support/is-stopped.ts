import { readFileSync } from 'node:fs';

/** True while the process stands still because of SIGSTOP. */
export function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The state follows the name, which may hold anything, in parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
