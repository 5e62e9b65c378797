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
  const half = Math.floor((room - bytes(ELLIPSIS)) / 2);
  // No letter is less than a byte; what a name is cut out of may be the name of a sheet, as long as anybody likes.
  const first = lettersOf(name.slice(0, LONGEST_NAME_BYTES));
  const last = lettersOf(name.slice(-LONGEST_NAME_BYTES)).toReversed();
  return `${prefix}${take(first, half)}${ELLIPSIS}${take(last, half, true)}${suffix}`;
}

function lettersOf(text: string): readonly string[] {
  return [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
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
