import { request } from 'node:http';

/** An answer to an upload that was sent byte by byte. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
}

/** One part of a form, with its header as it is given. */
export type Part = readonly [header: string, content: string | Buffer];

const BOUNDARY = 'boundary-of-the-test';

/** A form with a file as browsers send it, with the parts in this order. */
export function formOf(parts: readonly Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(([header, content]) => [
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** The same without its end, as if more of the last part were to come. */
export function unfinishedForm(parts: readonly Part[]): Buffer {
  return formOf(parts).subarray(0, -`\r\n--${BOUNDARY}--\r\n`.length);
}

/** The parts of an upload: token, source and file. */
export function uploadParts(
  token: string,
  name: string,
  content: string | Buffer,
  source = 'academy',
): Part[] {
  return [
    ['name="token"', token],
    ['name="source"', source],
    [`name="file"; filename="${name}"`, content],
  ];
}

/**
 * Sends a body to the address of uploads. @param body the whole, or what writes it piece by piece; after the last piece the sender falls
 * silent unless it ends the request.
 */
export function sendRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | ((write: (piece: Buffer) => void, hangUp: () => void) => void),
): Promise<RawAnswer | 'cut'> {
  return new Promise((resolve) => {
    const outgoing = request(
      new URL('/files/upload', url),
      {
        method: 'POST',
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        const end = () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            location: response.headers.location ?? null,
          });
        response.on('end', end).on('error', end);
      },
    );
    outgoing.on('error', () => resolve('cut'));
    if (Buffer.isBuffer(body)) outgoing.end(body);
    else
      body(
        (piece) => void outgoing.write(piece),
        () => void outgoing.destroy(),
      );
  });
}
