import { endianness } from 'node:os';

/**
 * A function that returns the code units of a text as numbers, valid until it is called with another text. Reading one is then a
 * load and not a call, which matters where each character of a sheet is read, the more so before the engine has compiled the code
 * for it. After the text's end the array holds leftovers of earlier texts.
 */
export function codeUnits(): (text: string) => Uint16Array {
  let of: string | null = null;
  let bytes = Buffer.alloc(0);
  let units = new Uint16Array(0);
  return (text) => {
    if (text === of) return units;
    if (text.length > units.length) {
      // A power of two, so that texts that grow don't each get an array of their own.
      units = new Uint16Array(2 ** Math.ceil(Math.log2(text.length)));
      bytes = Buffer.from(units.buffer);
    }
    const written = bytes.write(text, 'utf16le');
    if (IS_BIG_ENDIAN) bytes.subarray(0, written).swap16();
    of = text;
    return units;
  };
}

const IS_BIG_ENDIAN = endianness() === 'BE';

/** Whether these code units stand at `start`. */
export function standsAt(units: Uint16Array, start: number, wanted: Uint16Array): boolean {
  for (let i = 0; i < wanted.length; i += 1) {
    if (units[start + i] !== wanted[i]) return false;
  }
  return true;
}

/** The code units of a word, to be looked for. */
export function wordUnits(word: string): Uint16Array {
  return Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
}
