import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { UntakenFile } from '../domain/files/untaken-file.js';
import { controlNameOf, isControlName } from '../workspace/inbox/control-name.js';
import { changedAt, type Place, shown } from './look-at-entries.js';

/** A control file whose drop should have come long ago; null while it may still come. */
export async function aloneControl(
  name: string,
  place: Place,
  readers: readonly SourceConfig[],
  hasDrop: ReturnType<typeof dropFinder>,
  clock: Clock,
): Promise<UntakenFile | null> {
  const own = readers.find(({ control }) => control?.file && isControlName(control.file, name));
  const { file, waitMs } = own?.control ?? {};
  if (file === undefined || waitMs === undefined) return null;
  if (hasDrop(name.toLowerCase(), file)) return null;
  const changedMs = await changedAt(place.absolute);
  if (changedMs === null || clock.nowMs() - changedMs < waitMs) return null;
  return {
    ...shown(place),
    code: 'control-alone',
    reason: 'is a control file, and the file that it belongs to has not come',
    remedy: 'Send that file, or remove this one.',
  };
}

/** Tells whether the drop of a control file is among these names; those of a pattern are gone through once. */
export function dropFinder(names: ReadonlySet<string>): (control: string, pattern: string) => boolean {
  const wantedBy = new Map<string, ReadonlyMap<string, number>>();
  return (control, pattern) => {
    const known = wantedBy.get(pattern) ?? wantedNames(names, pattern);
    wantedBy.set(pattern, known);
    const isItsOwn = controlNameOf(pattern, control).toLowerCase() === control;
    return (known.get(control) ?? 0) > (isItsOwn ? 1 : 0);
  };
}

/** How many of the names want a control file of each name. */
function wantedNames(names: ReadonlySet<string>, pattern: string): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const name of names) {
    const control = controlNameOf(pattern, name).toLowerCase();
    wanted.set(control, (wanted.get(control) ?? 0) + 1);
  }
  return wanted;
}
