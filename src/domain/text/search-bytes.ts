/** Whatever the case of ASCII letters. @param pieces the bytes, one character each. */
export async function searchBytes(
  pieces: AsyncIterable<string>,
  needles: readonly string[],
): Promise<{ bytes: number; hits: number }> {
  // The bytes of the UTF-8 text, one character each; only ASCII letters have another case there.
  const lowered = needles.map((needle) => lowerAscii(Buffer.from(needle).toString('latin1')));
  const longest = Math.max(1, ...lowered.map(({ length }) => length));
  let bytes = 0;
  let hits = 0;
  let tail = '';
  for await (const piece of pieces) {
    bytes += piece.length;
    const text = tail + lowerAscii(piece);
    const overlap = text.slice(-(longest - 1));
    tail = longest === 1 ? '' : overlap;
    // A hit wholly within the part that is read again is counted there.
    for (const needle of lowered) hits += text.split(needle).length - 1 - (tail.split(needle).length - 1);
  }
  for (const needle of lowered) hits += tail.split(needle).length - 1;
  return { bytes, hits };
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
