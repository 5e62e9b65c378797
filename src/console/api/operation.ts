import { z } from 'zod';
import type { ApiAnswer, SentFile } from '../../actions/access/idempotent-answers.js';
import { type Person, ROLES, type Role } from '../../domain/access/role.js';
import type { Decider } from '../../domain/decider.js';
import type { ConsoleContext } from '../work/console-context.js';

/** One request of the HTTP interface, as data: the router and the OpenAPI document are made from it. */
export interface ApiOperation {
  readonly id: string;
  /** A group of data/texts/openapi.yaml. */
  readonly tag: 'State' | 'Rows' | 'Files' | 'Runs' | 'Decisions';
  readonly method: 'get' | 'post';
  /** Below `/api/v1`; a named part is in braces. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly roles: readonly Role[];
  /** A repeated field is an array. */
  readonly query: z.ZodObject;
  /** A JSON object; `file`: the bytes of a file; null: nothing. */
  readonly body: z.ZodObject | 'file' | null;
  /** True where it changes something: an `Idempotency-Key` makes sure that it does so once. */
  readonly takesKey?: true;
  /** The schemas of what is answered, by status; each is one of `DOCUMENTS`. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /**
   * A page has `next`, the `after` of the one that follows; what goes on after the answer, `look`, its address. Throws OperatorError for
   * what can't be done; nothing has changed then.
   */
  carryOut(request: ApiRequest<never, never>): Promise<ApiAnswer>;
}

export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly person: Person;
  readonly who: Decider;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly context: ConsoleContext;
  /** Keeps the connection open during long work. */
  readonly keepWaiting: () => void;
}

export function startedAnswer(first: { readonly run: number }): ApiAnswer {
  return { status: 202, document: { ...first, look: `/api/v1/runs/${first.run}` } };
}

/** Types `carryOut` by the operation's schemas. */
export function operation<Query extends z.ZodObject, Body extends z.ZodObject | 'file' | null>(
  described: Omit<ApiOperation, 'carryOut' | 'query' | 'body'> & {
    readonly query: Query;
    readonly body: Body;
    carryOut(request: ApiRequest<z.output<Query>, BodyOf<Body>>): Promise<ApiAnswer>;
  },
): ApiOperation {
  return described;
}

/** An operation that answers a document, and changes nothing. @param described absent roles: all of them. */
export function readOperation<Query extends z.ZodRawShape = Record<never, never>>({
  answer,
  carryOut,
  ...described
}: Pick<ApiOperation, 'id' | 'tag' | 'path' | 'summary'> & {
  readonly roles?: ApiOperation['roles'];
  readonly query?: Query;
  readonly answer: z.ZodType;
  carryOut(request: ApiRequest<z.output<z.ZodObject<Query>>, null>): Promise<ApiAnswer['document']>;
}): ApiOperation {
  return operation({
    roles: ROLES,
    ...described,
    query: z.strictObject(described.query ?? ({} as Query)),
    method: 'get',
    body: null,
    answers: { 200: answer },
    carryOut: async (request) => ({ status: 200, document: await carryOut(request) }),
  });
}

type BodyOf<Body> = Body extends z.ZodObject ? z.output<Body> : Body extends 'file' ? SentFile : null;
