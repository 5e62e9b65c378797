/** Equal but for case, dashes, underscores and blanks, else the nearest within a third of its letters changed. */
export function didYouMean(input: string, candidates: readonly string[]): string | null {
  const target = simplified(input);
  if (target === '') return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = simplified(candidate);
    const allowed = Math.max(1, Math.floor(Math.min(target.length, name.length) / 3));
    if (Math.abs(name.length - target.length) > allowed) continue;
    const distance = editDistance(target, name);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Ends a sentence about a wrong word: `; did you mean x?`, else the allowed words, if any. */
export function suggestion(input: string, candidates: readonly string[]): string {
  const closest = didYouMean(input, candidates);
  if (closest !== null) return `; did you mean ${closest}?`;
  const list = candidates.join(', ');
  return candidates.length > 1 ? `; use one of ${list}` : list && `; use ${list}`;
}

function simplified(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : i + j;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed, swapped));
    }
  }
  return at(a.length, b.length);
}
