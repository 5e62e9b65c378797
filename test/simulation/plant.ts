import type { Mutant } from './mutants.js';

/**
 * The source with the bug in it. Throws where the mutant doesn't fit the source any more, with what to repair: a
 * mutant that isn't planted would show nothing.
 */
export function planted(source: string, { file, name, find, replace }: Mutant): string {
  const places = source.split(find).length - 1;
  if (places !== 1) {
    const found = places === 0 ? "doesn't hold" : `holds ${places} times`;
    throw new Error(
      `${file} ${found} the piece to be replaced, which must stand there once: ${find}\n  ${name}`,
    );
  }
  return source.replace(find, () => replace);
}
