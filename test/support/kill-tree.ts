import { readdirSync, readFileSync } from 'node:fs';

/** Kills a process of Linux and all that it has started, as the death of its machine does. */
export function killTree(pid: number): void {
  for (const one of [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended with the one that had started it.
    }
  }
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid);
  return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** null: it has ended. */
function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which is in brackets and may hold any sign.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
