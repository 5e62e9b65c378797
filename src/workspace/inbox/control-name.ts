/**
 * The name of the control file that belongs to a drop: `{name}` in the pattern stands for the drop's name, `{stem}` for
 * the same without its extension. The pattern must be one that `controlPatternMistake` has nothing against.
 */
export function controlNameOf(pattern: string, dropName: string): string {
  const stem = dropName.replace(/\.[^.]+$/, '');
  return pattern.replaceAll('{name}', dropName).replaceAll('{stem}', stem);
}

/** True for every name that a control file could have: such a file is never taken for a drop. */
export function isControlName(pattern: string, name: string): boolean {
  const wanted = pattern
    .split(/\{name\}|\{stem\}/)
    .map((text) => text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
  return new RegExp(`^${wanted}$`, 's').test(name.toLowerCase());
}
