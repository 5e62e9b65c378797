/** The longest name that file systems allow, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 255;

/** The suffix of the file with a refused file's reason; no source imports a file with such a name. */
export const REASON_SUFFIX = '.reason.txt';

const ELLIPSIS = '…';

/**
 * `prefix + name + suffix` as one file name. Where that is too long, an ellipsis replaces letters in the middle of `name`, so
 * that its beginning and its extension stay.
 * @param reserveBytes room to leave for a later addition to the whole name.
 */
export function fitFileName(prefix: string, name: string, suffix = '', reserveBytes = 0): string {
  const room = LONGEST_NAME_BYTES - reserveBytes - bytes(prefix) - bytes(suffix);
  if (bytes(name) <= room) return prefix + name + suffix;
  const half = Math.floor((room - bytes(ELLIPSIS)) / 2);
  const all = Buffer.from(name);
  // A cut letter becomes a replacement character, which is removed.
  const [first, last] = [all.subarray(0, half), all.subarray(-half)].map((part) => part.toString());
  return `${prefix}${first?.replace(/(?<!\ufffd)\ufffd+$/, '')}${ELLIPSIS}${last?.replace(/^\ufffd+/, '')}${suffix}`;
}

/** The name with a number before its ending: `march (2).csv`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - ending.length)} (${number})${ending}`;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
