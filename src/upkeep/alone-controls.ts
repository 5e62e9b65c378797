import type { SourceConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { UntakenFile } from '../domain/files/untaken-file.js';
import { controlNameOf, isControlName } from '../workspace/inbox/control-name.js';
import { changedAt, type Place, shown } from './look-at-entries.js';

/** Reports a control file whose drop should have come long ago; null while the drop may still come. */
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

/**
 * Returns a function that says whether the drop of a control file is among these names. For each pattern the names are
 * searched once.
 */
export function dropFinder(names: ReadonlySet<string>): (control: string, pattern: string) => boolean {
  const wantedBy = new Map<string, ReadonlyMap<string, number>>();
  return (control, pattern) => {
    const known = wantedBy.get(pattern) ?? wantedNames(names, pattern);
    wantedBy.set(pattern, known);
    const isItsOwn = controlNameOf(pattern, control).toLowerCase() === control;
    return (known.get(control) ?? 0) > (isItsOwn ? 1 : 0);
  };
}

/** By the name of a control file, how many of the names expect it. */
function wantedNames(names: ReadonlySet<string>, pattern: string): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const name of names) {
    const control = controlNameOf(pattern, name).toLowerCase();
    wanted.set(control, (wanted.get(control) ?? 0) + 1);
  }
  return wanted;
}
