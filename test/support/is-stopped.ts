import { readFileSync } from 'node:fs';

/** True while SIGSTOP has stopped the process. */
export function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The state follows the name, which may hold anything, in parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
