import type { z } from 'zod';
import type { Person, Role } from '../../domain/access/role.js';
import type { Decider } from '../../domain/decider.js';
import type { DocumentList } from '../../report/text/document-pieces.js';
import type { Desk } from '../work/desk.js';

/** One request of the HTTP interface, as data: the router and the OpenAPI document are made from it. */
export interface ApiOperation {
  /** The name that the document gives it. */
  readonly id: string;
  readonly method: 'get' | 'post';
  /** Below `/api/v1`; a named part is in braces. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Who has access. */
  readonly roles: readonly Role[];
  /** The query's fields; a repeated one is an array. */
  readonly query: z.ZodObject;
  /** What is sent: a JSON object; `file`: the bytes of a file; null: nothing. */
  readonly body: z.ZodObject | 'file' | null;
  /** The schemas of what is answered, by status; each is one of `DOCUMENTS`. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** Throws OperatorError for what can't be done; nothing has changed then. */
  carryOut(asked: Asked<never, never>): Promise<ApiAnswer>;
}

/** One request, with its fields as they were read. */
export interface Asked<Query = unknown, Body = unknown> {
  readonly person: Person;
  readonly who: Decider;
  /** The values of the path's named parts. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly desk: Desk;
  /** Lets the connection stay although nothing is said on it for long. */
  readonly keepWaiting: () => void;
}

/** What is answered. */
export interface ApiAnswer {
  readonly status: 200 | 202 | 404;
  /** One JSON document. */
  readonly document: unknown;
  /** Its last member, where that may be too long for one text: it is written entry by entry. */
  readonly list?: DocumentList;
}

/** The bytes of a file, as they come. */
export interface SentFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborted where the sender is gone or too slow. */
  readonly signal: AbortSignal;
}

/** Ties the types of an operation's fields to what carries it out. */
export function operation<Query extends z.ZodObject, Body extends z.ZodObject | 'file' | null>(
  described: Omit<ApiOperation, 'carryOut' | 'query' | 'body'> & {
    readonly query: Query;
    readonly body: Body;
    carryOut(asked: Asked<z.output<Query>, BodyOf<Body>>): Promise<ApiAnswer>;
  },
): ApiOperation {
  return described;
}

type BodyOf<Body> = Body extends z.ZodObject ? z.output<Body> : Body extends 'file' ? SentFile : null;
