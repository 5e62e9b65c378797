import type { HttpResult } from '../../src/platform/http.js';
import type { Draws } from '../simulation/draws.js';

/** The answer to one request, and what the platform has done for it. */
export interface DrawnAnswer {
  readonly result: HttpResult;
  /** The platform has carried the request out; `before`: if not now, then earlier. */
  readonly isWritten: boolean | 'before';
}

/** The request's values, to be repeated in an answer. */
export interface FuzzedRequest {
  readonly learner: string;
  readonly body: string;
}

/**
 * An answer grown from a real one. Only what the platform has carried out is answered so that it may be taken for a success:
 * of a 2xx that isn't one the sign of failure is left, whatever else changes.
 */
export function drawAnswer(draw: Draws, request: FuzzedRequest): DrawnAnswer {
  const kind = draw.pick(['success', 'success', 'success', 'refusal', 'refusal', 'lie', 'silence']);
  if (kind === 'silence') {
    const sent = draw.chance(0.7);
    const code = draw.pick(sent ? SENT_CODES : UNSENT_CODES);
    const failure = { code, message: mangled(draw, code), sent };
    return { result: { response: null, failure }, isWritten: sent && draw.chance(0.5) };
  }
  const headers = drawHeaders(draw);
  const complete = draw.chance(0.9);
  if (kind === 'lie') {
    const text = drawLie(draw, request);
    const status = draw.pick([200, 200, 201, 202, 207, 226]);
    return answered(status, headers, text, true, draw.chance(0.3));
  }
  if (kind === 'success') {
    const text = mangled(draw, draw.pick(successes(request)));
    return answered(draw.pick([200, 201, 201, 202, 203, 204, 206, 207, 299]), headers, text, complete, true);
  }
  const status = draw.chance(0.7) ? draw.pick(REFUSING) : draw.between(300, 599);
  const text = mangled(draw, draw.pick(refusals(status, request)));
  // A 409 counts as accepted where the environment says so: then the platform has it.
  const isWritten = status === 409 ? 'before' : status >= 500 && draw.chance(0.3);
  return answered(status, headers, text, complete, isWritten);
}

/** The bytes of an answer as they leave a server, grown from sound ones. */
export function drawBytes(draw: Draws): string {
  const body = draw.pick(['', '{"data":{"id":"1"}}', '{"errors":[{"detail":"No."}]}', 'Created', '<html>']);
  const status = draw.pick([
    '200 OK',
    '201 Created',
    '204 No Content',
    '400 Bad Request',
    '500 Oops',
    '302 Found',
  ]);
  const framing = draw.pick([
    `content-length: ${body.length}\r\n\r\n${body}`,
    `content-length: ${draw.between(0, 99)}\r\n\r\n${body}`,
    `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `connection: close\r\n\r\n${body}`,
  ]);
  const begin = draw.chance(0.2) ? 'HTTP/1.1 100 Continue\r\n\r\n' : '';
  return mangled(draw, `${begin}HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${framing}`);
}

const SENT_CODES = ['deadline', 'ECONNRESET', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT', 'odd'] as const;
const UNSENT_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'deadline', 'ETIMEDOUT', 'EPROTO', 'odd'] as const;

const REFUSING = [400, 400, 401, 403, 404, 408, 409, 413, 422, 429, 429, 500, 502, 503, 504] as const;

function answered(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  complete: boolean,
  isWritten: DrawnAnswer['isWritten'],
): DrawnAnswer {
  return { result: { response: { status, headers, text, complete }, failure: null }, isWritten };
}

function successes({ body }: FuzzedRequest): readonly [string, ...string[]] {
  const { data } = JSON.parse(body) as { data: object };
  return [
    JSON.stringify({ data: { id: 'completion-1', ...data } }),
    JSON.stringify({ data: { id: 17 }, errors: [] }),
    '',
    'Created',
    '<?xml version="1.0"?><result>ok</result>',
    '<!doctype html><title>Done</title>',
    '[{"status":201}]',
  ];
}

function refusals(status: number, { learner }: FuzzedRequest): readonly [string, ...string[]] {
  const entry = { id: 'e-1', code: 'bad-request', status, title: 'Bad Request' };
  return [
    JSON.stringify({
      errors: [{ ...entry, detail: `Invalid user identifier: ${learner}`, source: learner }],
    }),
    JSON.stringify({ errors: [{ ...entry, detail: 'Resource already exists' }] }),
    JSON.stringify({ errors: [{ ...entry, detail: 'Maximum 70 requests allowed per 1m.' }] }),
    JSON.stringify({ errors: [{ ...entry, detail: { nested: [[[['x']]]] }, source: [learner] }] }),
    '<html><h1>Bad Gateway</h1></html>',
    '',
  ];
}

/** JSON that keeps its sign of failure, however it is wrapped, written and surrounded. */
function drawLie(draw: Draws, { learner }: FuzzedRequest): string {
  const sign: unknown = draw.pick<object>([
    { errors: [{ code: 'bad-request', detail: mangled(draw, `Invalid user identifier: ${learner}`) }] },
    { errors: { a: mangled(draw, 'b') } },
    { errors: 'x'.repeat(draw.magnitude(1, 100_000)) },
    { error: mangled(draw, 'denied') || 'x' },
    { Error: { message: mangled(draw, 'denied') } },
    { success: false, data: { id: '1' } },
    { status: draw.between(400, 599), message: mangled(draw, 'oops') },
    { status: 'failed' },
  ]);
  const wrapped = draw.pick([
    sign,
    [sign],
    { data: sign },
    { data: [{ id: '1' }, sign] },
    { [`a${draw.between(0, 9)}`]: mangled(draw, 'b'), ...(sign as object), meta: deep(draw) },
  ]);
  const text = JSON.stringify(wrapped, null, draw.pick([0, 2, '\t\t']));
  return `${' '.repeat(draw.between(0, 9))}${text}${'\n'.repeat(draw.between(0, 9))}`;
}

function deep(draw: Draws): unknown {
  let value: unknown = 'x';
  for (let level = draw.magnitude(1, 500); level > 0; level -= 1)
    value = draw.chance(0.5) ? [value] : { a: value };
  return value;
}

const HEADERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'content-type': ['application/json', 'application/vnd.api+json', 'text/html', 'text/plain', 'x', ''],
  'retry-after': [
    '0',
    '1',
    '40',
    '0.5',
    '-5',
    '1e9',
    '9'.repeat(400),
    'soon',
    'Mon, 02 Mar 2026 08:01:00 GMT',
  ],
  'x-rate-limit-remaining': ['69', '0', '-1', 'x', '9'.repeat(30)],
  'x-rate-limit-reset': ['2021-10-26T20:39:22.1494434Z', 'x'],
  date: ['Mon, 02 Mar 2026 08:00:00 GMT', 'x', ''],
  'x-request-id': ['r-1', '\u001b[31m', 'x'.repeat(9_000)],
};

function drawHeaders(draw: Draws): Record<string, string> {
  const drawn = Object.entries(HEADERS).flatMap(([name, values]) =>
    draw.chance(0.5) ? [[name, draw.chance(0.8) ? draw.pick(values) : mangled(draw, draw.pick(values))]] : [],
  );
  return Object.fromEntries(drawn);
}

const SHARDS = [
  '\u0000',
  '\u001b]8;;x\u0007',
  '\ud800',
  '\u202e',
  '\r\n',
  '"',
  '\\',
  '{',
  '[',
  ']',
  '}',
  ',',
  ':',
  '<',
  '&#39;',
  'null',
  '1e999',
  '"errors":',
  '"data":',
  '"id":',
  'ann@example.org',
  '..',
  '%2e',
  '\ufeff',
  'é',
] as const;

/** A few pieces of it taken out, doubled, repeated without end, or put in. */
function mangled(draw: Draws, text: string): string {
  let grown = text;
  for (let left = draw.chance(0.3) ? 0 : draw.magnitude(1, 8); left > 0; left -= 1) {
    const at = draw.between(0, grown.length);
    const length = draw.between(0, Math.min(40, grown.length - at));
    const piece = grown.slice(at, at + length);
    grown =
      grown.slice(0, at) +
      draw.pick<() => string>([
        () => '',
        () => piece + piece,
        () => draw.pick(SHARDS) + piece,
        () => draw.pick(SHARDS).repeat(draw.magnitude(1, 2_000)),
        () => piece.repeat(draw.magnitude(1, 500)),
        () => String.fromCharCode(draw.between(0, 0xffff)),
      ])() +
      grown.slice(at + length);
  }
  return grown;
}
