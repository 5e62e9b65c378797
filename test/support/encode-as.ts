import { decodeWindows1252 } from '../../src/intake/text/encoding/windows-1252.js';

/** The bytes of a text in an encoding that only decoders know. Throws for a character that it doesn't have. */
export function encodeAs(encoding: string, text: string): Buffer {
  const codes = codesOf(encoding);
  return Buffer.concat(
    [...text].map((character) => {
      const code = codes.get(character);
      if (code === undefined) throw new Error(`${encoding} has no ${character}`);
      return code;
    }),
  );
}

const KNOWN = new Map<string, ReadonlyMap<string, Buffer>>();

function codesOf(encoding: string): ReadonlyMap<string, Buffer> {
  const known = KNOWN.get(encoding) ?? decodeAll(encoding);
  KNOWN.set(encoding, known);
  return known;
}

/** All characters of one byte and of two. */
function decodeAll(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding);
  // Some releases of Node.js don't know all of it.
  const decode = (bytes: Uint8Array) =>
    encoding === 'windows-1252' ? decodeWindows1252(Buffer.from(bytes)) : decoder.decode(bytes);
  const codes = new Map<string, Buffer>();
  const add = (...bytes: number[]) => {
    const text = decode(Uint8Array.from(bytes));
    const isOne = [...text].length === 1 && text !== '\ufffd';
    if (isOne && !codes.has(text)) codes.set(text, Buffer.from(bytes));
  };
  for (let one = 0; one < 256; one += 1) add(one);
  for (let one = 0x81; one < 0xff; one += 1) for (let two = 0x40; two < 0xff; two += 1) add(one, two);
  return codes;
}
