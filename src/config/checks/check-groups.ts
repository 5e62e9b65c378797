import { type Group, groupId, isMember } from '../values/group-id.js';
import type { Mistake, Path } from './mistake.js';

/** Checks the groups that are to own files: this machine must have them, and this user must be a member. */
export function checkGroups(value: unknown): readonly Mistake[] {
  return groupsIn(value).flatMap(({ path, group }): Mistake[] => {
    const gid = groupId(group);
    if (gid === null)
      return [
        {
          path,
          text: 'is no group of this machine; name one that getent group lists, or its number',
          showValue: true,
        },
      ];
    if (isMember(gid)) return [];
    const uid = process.geteuid?.() ?? '?';
    return [
      {
        path,
        text: `is a group (gid ${gid}) that this user (uid ${uid}) is not in, and may give no file to; add the user to it (usermod -aG), and begin a new session`,
        showValue: true,
      },
    ];
  });
}

function groupsIn(value: unknown): { path: Path; group: Group }[] {
  const { reports, sources } = mapOf(value);
  const places = [
    { path: ['reports', 'group'], group: mapOf(reports).group },
    ...(Array.isArray(sources) ? sources : []).map((source, index) => ({
      path: ['sources', index, 'inbox', 'group'],
      group: mapOf(mapOf(source).inbox).group,
    })),
  ];
  return places.flatMap(({ path, group }) =>
    typeof group === 'number' || (typeof group === 'string' && group !== '') ? [{ path, group }] : [],
  );
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
