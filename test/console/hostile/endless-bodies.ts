import { type IncomingMessage, request } from 'node:http';
import { expect } from 'vitest';
import { addToken } from '../../../src/actions/access/tokens.js';
import { OPERATIONS } from '../../../src/console/api/operations.js';
import { formAddressesOf } from '../../support/console-addresses.js';
import { decider } from '../../support/decider.js';
import { unfinishedForm, uploadParts } from '../../support/sent-file.js';
import { PLAIN_WORDS, wordedConsole } from '../../support/worded-console.js';

const PIECE = Buffer.alloc(65_536, 'x');

/** Sends without end, as fast as the server reads, until the server ends the connection. @returns its answer, and how much it read. */
function sendForEver(url: URL, headers: Readonly<Record<string, string>>, begin: Buffer = Buffer.alloc(0)) {
  return new Promise<{ status: number | null; sentBytes: number }>((resolve) => {
    let status: number | null = null;
    let sentBytes = 0;
    const sending = request(url, { method: 'POST', headers }, (answer: IncomingMessage) => {
      status = answer.statusCode ?? null;
      answer.resume();
    });
    const more = () => {
      while (!sending.destroyed) {
        sentBytes += PIECE.length;
        if (!sending.write(PIECE)) return;
      }
    };
    sending.on('drain', more);
    sending.on('error', () => {});
    sending.on('close', () => resolve({ status, sentBytes }));
    sending.write(begin);
    more();
  });
}

/** @param isTried of the addresses that take a body, by their numbers in a list of all. */
export async function isCutOff(isTried: (nth: number) => boolean): Promise<void> {
  const { as, known, url, context, workspace, failures } = await wordedConsole(PLAIN_WORDS);
  const { secret } = await addToken(context, { name: 'job', role: 'operator' }, decider('ada'));
  const ada = as('ada');
  await ada.get('/files');
  const inboxes = workspace.files('inbox');
  const cookie = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
  const person = { 'x-forwarded-user': 'ada', cookie };
  const form = { ...person, 'content-type': 'application/x-www-form-urlencoded' };
  const multipart = { ...person, 'content-type': 'multipart/form-data; boundary=boundary-of-the-test' };
  const program = (type: string) => ({ authorization: `Bearer ${secret}`, 'content-type': type });
  const first = { ...known(), drops: [1], rows: ['1:8'], submissions: [1] };
  const requests: (readonly [string, Readonly<Record<string, string>>, Buffer?])[] = [
    ...[...formAddressesOf(first), '/log-in', '/log-out'].map((path) => [path, form] as const),
    ['/files/upload', multipart, unfinishedForm(uploadParts(ada.token, 'endless.csv', 'x'))],
    ['/files/upload', multipart, unfinishedForm([['name="token"', 'x']])],
    ['/files/upload', multipart],
    ...OPERATIONS.filter(({ method }) => method === 'post').map(({ path, body }) => {
      const query = body === 'file' ? '?source=academy&name=x.csv' : '';
      const type = body === 'file' ? 'application/octet-stream' : 'application/json';
      return [`/api/v1${path}${query}`, program(type)] as const;
    }),
  ];
  for (const [path, headers, begin] of requests.filter((_, nth) => isTried(nth))) {
    const { status, sentBytes } = await sendForEver(new URL(path, url), headers, begin);
    // A client that still sends may see the connection end before the answer.
    expect([path, [null, 413, 403, 400, 408].includes(status), sentBytes < 20_000_000]).toEqual([
      path,
      true,
      true,
    ]);
  }
  expect(workspace.files('inbox')).toEqual(inboxes);
  expect(failures).toEqual([]);
}
