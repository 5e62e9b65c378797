/** Equal but for case, dashes, underscores and blanks, else the nearest within a third of its letters changed. */
export function didYouMean(written: string, candidates: readonly string[]): string | null {
  const wanted = bare(written);
  if (wanted === '') return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const name = bare(candidate);
    const allowed = Math.max(1, Math.floor(Math.min(wanted.length, name.length) / 3));
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, name);
    if (distance <= allowed && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Ends a sentence about a wrong word: `; did you mean x?`, else the allowed words, if any. */
export function suggestion(written: string, candidates: readonly string[]): string {
  const meant = didYouMean(written, candidates);
  if (meant !== null) return `; did you mean ${meant}?`;
  return candidates.length === 0
    ? ''
    : `; use ${candidates.length === 1 ? '' : 'one of '}${candidates.join(', ')}`;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + changed);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
