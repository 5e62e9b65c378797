import type { Context, HonoRequest } from 'hono';
import { z } from 'zod';
import { bodyRefusal, RequestRefusal } from '../work/status-of.js';
import { invalidRequest } from './refusal.js';

/** The fields of an address' query. Throws RequestRefusal with every mistake. */
export function readQuery(request: HonoRequest, schema: z.ZodObject): unknown {
  const fields = Object.entries(request.queries()).flatMap(([name, values]) => {
    const [only = ''] = values;
    // A repeated field may come once, twice or often.
    if (isList(schema.shape[name]) || values.length > 1) return [[name, values]];
    // As a form sends a field in which nothing was written.
    return only === '' ? [] : [[name, only]];
  });
  return parsed(schema, Object.fromEntries(fields), 'query');
}

/** The key by which a repeated request is recognised; undefined: it has none. Throws RequestRefusal for a text that is no key. */
export function readKey(request: HonoRequest): string | undefined {
  const key = request.header('idempotency-key');
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return key;
  const message = 'must have 1 to 255 visible ASCII characters';
  throw invalidRequest([{ in: 'header', field: 'Idempotency-Key', message }]);
}

/** Throws RequestRefusal for a body that is no JSON; where a file is awaited, for a form: its parts would be taken for the file. */
export function requireType(c: Context, body: z.ZodObject | 'file'): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (body === 'file' ? !type?.startsWith('multipart/') : type === 'application/json') return;
  c.header('connection', 'close');
  const message = type === undefined ? 'the request names no content type' : `${type} is not accepted here`;
  const hint =
    body === 'file'
      ? 'Send only the bytes of the file, as application/octet-stream: curl --data-binary @FILE.'
      : 'Send JSON, with the header "Content-Type: application/json".';
  throw new RequestRefusal(415, { operation: 'read the request', subject: 'Content-Type', message, hint });
}

/** The fields of a JSON object. Throws RequestRefusal with every mistake. */
export function readBody(text: string, schema: z.ZodObject): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bodyRefusal(400, 'the body is not JSON', 'Send one JSON object.');
  }
  return parsed(schema, value, 'body');
}

function isList(schema: unknown): boolean {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return bare instanceof z.ZodArray;
}

function parsed(schema: z.ZodObject, value: unknown, place: 'body' | 'query'): unknown {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const at = (path: readonly PropertyKey[], message: string) =>
    ({ in: place, field: path.map(String).join('.') || null, message }) as const;
  const mistakes = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => at([...issue.path, key], 'is not a field of this request'))
      : [at(issue.path, sentence(issue))],
  );
  throw invalidRequest(mistakes);
}

/** What is wrong with a value, in our own words; it follows the name of the field. */
function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'custom' && issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be of the type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'invalid_union':
      return 'must be a number or a text';
    default:
      return issue.message;
  }
}
