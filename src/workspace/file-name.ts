/** What file systems allow for one name, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 255;

/** What the name of a set-aside file's reason ends with; no source takes a file of such a name. */
export const REASON_SUFFIX = '.reason.txt';

const ELLIPSIS = '…';

/**
 * `prefix + name + suffix` as one file name. Where that is too long, letters in the middle of `name` give way to
 * an ellipsis, so that its beginning and its extension stay.
 * @param reserveBytes room to leave for what is appended to the whole name later.
 */
export function fitFileName(prefix: string, name: string, suffix = '', reserveBytes = 0): string {
  const room = LONGEST_NAME_BYTES - reserveBytes - bytes(prefix) - bytes(suffix);
  if (bytes(name) <= room) return prefix + name + suffix;
  const letters = [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(name)].map(
    ({ segment }) => segment,
  );
  const half = Math.floor((room - bytes(ELLIPSIS)) / 2);
  return `${prefix}${take(letters, half)}${ELLIPSIS}${take(letters.toReversed(), half, true)}${suffix}`;
}

/** As many letters as fit; `backwards` when they come last first. */
function take(letters: readonly string[], room: number, backwards = false): string {
  let taken = '';
  for (const letter of letters) {
    if (bytes(taken) + bytes(letter) > room) break;
    taken = backwards ? letter + taken : taken + letter;
  }
  return taken;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
