/** A document's last member that is too long for one text. */
export interface DocumentList {
  readonly name: string;
  readonly entries: AsyncIterable<unknown>;
}

/** How many entries of a list are written at a time, so that a document needn't fit into memory as one text. */
const PIECE = 1_000;

/** An object as JSON, with a list as its last member, piece by piece. */
export async function* documentPieces(
  document: unknown,
  { name, entries }: DocumentList,
): AsyncGenerator<string, void, undefined> {
  yield `${JSON.stringify(document, null, 2).slice(0, -2)},\n  "${name}": [`;
  let piece: string[] = [];
  let isFirst = true;
  const written = () => {
    const text = `${isFirst ? '' : ','}\n    ${piece.join(',\n    ')}`;
    isFirst = false;
    piece = [];
    return text;
  };
  for await (const entry of entries) {
    piece.push(JSON.stringify(entry));
    if (piece.length === PIECE) yield written();
  }
  if (piece.length > 0) yield written();
  yield `${isFirst ? '' : '\n  '}]\n}\n`;
}
