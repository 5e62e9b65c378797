import type { Context, HonoRequest } from 'hono';
import { z } from 'zod';
import type { Clock } from '../../domain/clock.js';
import { bodyText, type UnreadBody } from '../server/bodies/body-text.js';
import { ApiRefusal } from './refusal.js';

/** The fields of an address' query. Throws ApiRefusal with every mistake. */
export function readQuery(request: HonoRequest, schema: z.ZodObject): unknown {
  const given = Object.entries(request.queries()).flatMap(([name, values]) => {
    const [only = ''] = values;
    if (isList(schema.shape[name]) || values.length > 1) return [[name, values]];
    // As a form sends a field in which nothing was written.
    return only === '' ? [] : [[name, only]];
  });
  return parsed(schema, Object.fromEntries(given), 'the query');
}

/** Selections and reasons are short, and a program sends them at once. */
const LIMITS = { mostBytes: 1_000_000, withinMs: 15_000 };

/** The JSON object that was sent. Throws ApiRefusal for anything else, with every mistake. */
export async function readBody(c: Context, clock: Clock, schema: z.ZodObject): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiRefusal(415, {
      operation: 'read the request',
      subject: 'Content-Type',
      message: type === undefined ? 'the request says nothing of its content' : `${type} is not read here`,
      hint: 'Send JSON, with the header "Content-Type: application/json".',
    });
  }
  const body = await bodyText(c, clock, LIMITS);
  if ('text' in body) return parsed(schema, jsonIn(body.text), 'the body');
  // The rest of it would be taken for the next request.
  c.header('connection', 'close');
  throw unread(body.unread);
}

function unread(why: UnreadBody): ApiRefusal {
  const about = { operation: 'read the request', subject: 'the body' };
  if (why === 'too-slow') {
    const message = `the body took more than ${LIMITS.withinMs / 1_000} seconds`;
    return new ApiRefusal(408, { ...about, message, hint: 'Send it in one go.' });
  }
  return new ApiRefusal(413, {
    ...about,
    message: `the body has more than ${LIMITS.mostBytes} bytes`,
    hint: 'Select rows by cause, file or run instead of one by one.',
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiRefusal(400, {
      operation: 'read the request',
      subject: 'the body',
      message: 'the body is no JSON',
      hint: 'Send one JSON object.',
    });
  }
}

/** A repeated field may come once, twice or often. */
function isList(schema: unknown): boolean {
  const bare = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return bare instanceof z.ZodArray;
}

function parsed(schema: z.ZodObject, value: unknown, subject: string): unknown {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw mistaken(subject, read.error.issues.flatMap(mistakesOf));
}

/** A request with mistakes, all of which it names. */
export function mistaken(subject: string, mistakes: readonly string[]): ApiRefusal {
  const details = {
    operation: 'read the request',
    subject,
    message: mistakes.join('; '),
    hint: 'GET /api/v1/openapi.json describes each request.',
  };
  return new ApiRefusal(422, details, mistakes);
}

function mistakesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${place === '' ? key : `${place}.${key}`} is no member here`);
  return [`${place === '' ? 'it' : place}: ${issue.message}`];
}
