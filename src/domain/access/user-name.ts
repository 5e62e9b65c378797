/** What is wrong with a sign-in name, as the end of a sentence; null when nothing is. */
export function userNameMistake(name: string): string | null {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u.test(name)
    ? null
    : 'is not a valid name: letters, digits and . _ @ + -, up to 64, the first a letter or digit';
}

/** True for names that one person would write: large and small letters are alike. */
export function isSameUser(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
