import type { Context, HonoRequest } from 'hono';
import { z } from 'zod';
import type { RequestMistake } from '../../documents/common.js';
import type { ReadText } from '../server/bodies/read-text.js';
import type { AppEnv } from '../server/request.js';
import { RequestRefusal } from '../work/status-of.js';
import { mistaken } from './refusal.js';

/** The fields of an address' query. Throws RequestRefusal with every mistake. */
export function readQuery(request: HonoRequest, schema: z.ZodObject): unknown {
  const fields = Object.entries(request.queries()).flatMap(([name, values]) => {
    const [only = ''] = values;
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
  throw mistaken([{ in: 'header', field: 'Idempotency-Key', message }]);
}

/** The JSON object that was sent, as text. Throws RequestRefusal for anything else. */
export async function readText(c: Context<AppEnv>, readBodyText: ReadText): Promise<string> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new RequestRefusal(415, {
      operation: 'read the request',
      subject: 'Content-Type',
      message: type === undefined ? 'the request says nothing of its content' : `${type} is not read here`,
      hint: 'Send JSON, with the header "Content-Type: application/json".',
    });
  }
  return readBodyText(c);
}

/** The fields of a JSON object. Throws RequestRefusal with every mistake. */
export function readBody(text: string, schema: z.ZodObject): unknown {
  return parsed(schema, jsonIn(text), 'body');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RequestRefusal(400, {
      operation: 'read the request',
      subject: 'the body',
      message: 'the body is not JSON',
      hint: 'Send one JSON object.',
    });
  }
}

/** A repeated field may come once, twice or often. */
function isList(schema: unknown): boolean {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return bare instanceof z.ZodArray;
}

function parsed(schema: z.ZodObject, value: unknown, place: 'body' | 'query'): unknown {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const mistakes = read.error.issues.flatMap((issue) => mistakesOf(issue));
  throw mistaken(mistakes.map((mistake) => ({ in: place, ...mistake })));
}

function mistakesOf(issue: z.core.$ZodIssue): Omit<RequestMistake, 'in'>[] {
  const place = issue.path.map(String);
  const at = (path: readonly string[], message: string) => ({ field: path.join('.') || null, message });
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => at([...place, key], 'is not a field of this request'));
  return [at(place, sentence(issue))];
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
