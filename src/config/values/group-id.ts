import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A group as registrar.yaml names it: by its name or its number. */
export type Group = string | number;

/** Each group is looked up once: the answer may come from a directory server. */
const known = new Map<string, number | null>();

/** The number of a group of this machine; null where it has none of that name. */
export function groupId(group: Group): number | null {
  if (typeof group === 'number') return group;
  if (/^\d+$/.test(group)) return Number(group);
  const before = known.get(group);
  if (before !== undefined) return before;
  const found = idIn(localGroups(), group) ?? idIn(askedOf(group), group);
  known.set(group, found);
  return found;
}

/** Whether this process may give files to the group: it is a member, or root. */
export function isMember(gid: number): boolean {
  return (
    process.geteuid?.() === 0 || process.getegid?.() === gid || (process.getgroups?.() ?? []).includes(gid)
  );
}

function idIn(lines: string, group: string): number | null {
  const line = lines.split('\n').find((entry) => entry.startsWith(`${group}:`));
  const id = line?.split(':')[2];
  return id === undefined || !/^\d+$/.test(id) ? null : Number(id);
}

function localGroups(): string {
  try {
    return readFileSync('/etc/group', 'utf8');
  } catch {
    return '';
  }
}

/** The entry of a group that a directory service may have. */
function askedOf(group: string): string {
  try {
    return execFileSync('getent', ['group', '--', group], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
