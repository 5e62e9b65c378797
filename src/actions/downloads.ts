import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type FileFacts, fileFacts } from '../ledger/books/files/list-files.js';
import { readState } from '../ledger/books/state/read-state.js';
import { containersOf } from '../ledger/drops/record-inbox.js';
import { acceptedCsv, attentionCsv } from '../report/write-drop-csv.js';
import { listArchived } from '../workspace/claimed/archived.js';
import { sha256Of } from '../workspace/files/copy-verified.js';
import { statOf } from '../workspace/files/entries.js';
import { fitFileName } from '../workspace/files/file-name.js';
import type { ActionContext } from './context.js';

export const DOWNLOADS = ['original', 'accepted.csv', 'attention.csv'] as const;

export type DownloadKind = (typeof DOWNLOADS)[number];

/** A file for a user who may see it in full. Personal. */
export interface Download {
  /** As the person knows it: may hold any character that a file name may. */
  readonly name: string;
  readonly contentType: string;
  /** null: not known before it ends. */
  readonly bytes: number | null;
  /** In pieces of some kilobytes, with turns for other work between them. */
  pieces(): AsyncIterable<Uint8Array>;
}

const CONTENT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Finds the requested form of a file, or the reason it is missing; doesn't read it yet. */
export async function download(
  context: Pick<ActionContext, 'ledger' | 'paths'>,
  { drop, kind }: { readonly drop: number; readonly kind: DownloadKind },
): Promise<Download | 'no-such-drop' | 'original-gone' | 'not-imported'> {
  const { ledger } = context;
  const facts = await fileFacts(ledger, drop);
  if (facts === null) return 'no-such-drop';
  if (kind === 'original') return original(context, facts);
  if (facts.state !== 'published') return 'not-imported';
  const stem = facts.file.replace(/\.[^.]{1,5}$/, '');
  const lines = kind === 'accepted.csv' ? acceptedCsv : attentionCsv;
  return {
    name: fitFileName(`${drop}-`, stem, `.${kind}`),
    contentType: 'text/csv; charset=utf-8',
    bytes: null,
    pieces: () => inPieces(lines(ledger, facts)),
  };
}

async function original(
  { ledger, paths }: Pick<ActionContext, 'ledger' | 'paths'>,
  facts: FileFacts,
): Promise<Download | 'original-gone'> {
  const { drop: dropId, parts, source, file, sha256, format } = facts;
  const containers = containersOf((await readState(ledger, ['containers'])).containers, facts);
  const name = containers.length === 0 ? nameOfFile(file) : (file.split('#')[0] ?? file);
  // Of a workbook whose sheets are a drop each, and of a container, the file is kept under the number of one of them.
  const ids = new Set([dropId, ...parts.map((part) => part.dropId)]);
  const archived = listArchived(paths).filter(
    (one) =>
      one.source === source &&
      (ids.has(one.dropId) || (containers.length > 0 && one.path.endsWith(`-${name}`))),
  );
  const places = [...archived.map(({ path }) => path), join(paths.rejected, source, fitFileName('', name))];
  for (const path of places) {
    const stat = await statOf(path);
    if (stat?.isFile() !== true || (containers.length === 0 && stat.size !== facts.bytes)) continue;
    // Before a restore another drop may have had this number, and another file this name.
    const hash = await sha256Of(path);
    if (hash !== sha256 && !containers.includes(hash)) continue;
    return {
      name,
      contentType: format === null || hash !== sha256 ? 'application/octet-stream' : CONTENT_TYPES[format],
      bytes: stat.size,
      // Opened when it is read first: only its head may be requested.
      async *pieces() {
        yield* createReadStream(path) as AsyncIterable<Uint8Array>;
      },
    };
  }
  return 'original-gone';
}

/** A drop of one sheet is called `book.xlsx#Sheet`. */
function nameOfFile(file: string): string {
  return file.replace(/(\.xlsx)#.*$/is, '$1');
}

const PIECE_CHARS = 64 * 1024;

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < PIECE_CHARS) continue;
    yield Buffer.from(text);
    text = '';
    // A client that takes everything at once must not keep a delivery waiting.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (text !== '') yield Buffer.from(text);
}
