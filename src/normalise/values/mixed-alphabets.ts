/**
 * The sentence about a letter that stands among similar letters of another alphabet, such as a Cyrillic "а" in a name in Latin
 * letters; null where all letters belong to one alphabet. Only alphabets with similar letters are distinguished. `where` names
 * the place in the sentence.
 */
export function foreignLetter(text: string, where: string): string | null {
  const found = new Map<string, { letter: string; at: number; count: number }>();
  let at = 0;
  for (const letter of text) {
    at += 1;
    const alphabet = ALPHABETS.find(([, isIn]) => isIn.test(letter))?.[0];
    if (alphabet === undefined) continue;
    const known = found.get(alphabet);
    if (known) known.count += 1;
    else found.set(alphabet, { letter, at, count: 1 });
  }
  // Latin comes last, so that of equals the other is named.
  const [rarest, ...others] = [...found].sort(
    ([one, a], [other, b]) => a.count - b.count || Number(one === 'Latin') - Number(other === 'Latin'),
  );
  const most = others.at(-1);
  if (!rarest || !most) return null;
  const [alphabet, { letter, at: place }] = rarest;
  const code = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `the "${letter}" (U+${code}), character ${place} ${where}, is a ${alphabet} letter among ${most[0]} ones`;
}

const ALPHABETS: readonly (readonly [string, RegExp])[] = [
  ['Latin', /\p{sc=Latin}/u],
  ['Cyrillic', /\p{sc=Cyrillic}/u],
  ['Greek', /\p{sc=Greek}/u],
  ['Armenian', /\p{sc=Armenian}/u],
  ['Cherokee', /\p{sc=Cherokee}/u],
];
