import type { ScheduleConfig } from '../schema.js';
import { jobName } from '../values/job-name.js';
import { unknownName } from './check-sources.js';
import type { ConfigDraft } from './draft.js';
import { formatPath, type Mistake, type Path } from './mistake.js';

/** The rules for the schedule that the schema can't express: its sources exist, its keys fit what is to be done, no line is there twice. */
export function checkSchedule(draft: ConfigDraft): readonly Mistake[] {
  const sources = draft.sources.flatMap(({ name }) => name ?? []);
  const names = draft.schedule.map(nameIn);
  return draft.schedule.flatMap((entry, index) => {
    const path = ['schedule', index];
    const unknown = (entry.sources ?? []).flatMap((name, position) =>
      unknownName(name, sources, 'sources', [...path, 'sources', position]),
    );
    return [...unknown, ...keysOf(entry, path), ...repeatedLine(names, index, path)];
  });
}

/** The keys that belong to one thing to do. */
const KEYS = [
  { key: 'olderThan', value: 'olderThanMs', what: 'purge', example: 'olderThan: 400d' },
  { key: 'folder', value: 'folder', what: 'backup', example: 'folder: /srv/backups' },
] as const;

function keysOf(entry: Partial<ScheduleConfig>, path: Path): Mistake[] {
  const { do: what } = entry;
  if (what === undefined) return [];
  return KEYS.flatMap((part) => {
    const isAsked = what.includes(part.what);
    const isGiven = entry[part.value] !== undefined;
    if (isAsked && !isGiven) {
      return [
        { path, text: `has nothing that says ${part.key}, which ${part.what} needs; add ${part.example}` },
      ];
    }
    if (isAsked || !isGiven) return [];
    return [{ path: [...path, part.key], text: `is for ${part.what}, which the line doesn't do; remove it` }];
  });
}

function repeatedLine(names: readonly (string | null)[], index: number, path: Path): Mistake[] {
  const first = names[index] === null ? index : names.indexOf(names[index] ?? null);
  if (first === index) return [];
  return [{ path, text: `is the same line as ${formatPath(['schedule', first])}; remove one of them` }];
}

function nameIn({ cron, do: what, sources, timeZone }: Partial<ScheduleConfig>): string | null {
  if (cron === undefined || what === undefined) return null;
  return jobName({ cron, do: what, sources: sources ?? [], timeZone });
}
