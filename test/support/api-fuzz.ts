import fc from 'fast-check';
import { openApi } from '../../src/console/api/open-api.js';
import { OPERATIONS } from '../../src/console/api/operations.js';
import type { ApiClient } from './api.js';

/** A request that the interface's document describes, or nearly describes. */
interface FuzzedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the bytes of a file, or nothing. */
  readonly body: string | Uint8Array | undefined;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
    readonly $ref?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

/** Texts that mean something here, and texts that break programs. */
const TEXTS = [
  'academy',
  'rows.csv',
  'bad.csv',
  'rows.csv:3',
  '1:5',
  '#2',
  '1',
  '0',
  '-1',
  '1.181.65',
  'true',
  'rejected',
  'learner-unknown',
  'ada@example.com',
  'Score',
  '2025-03-03',
  '9'.repeat(30),
  '',
  ' ',
  '\0',
  '\ud800',
  '../../etc/passwd',
  '%00',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '{"a":1}',
  '1e99',
  'NaN',
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const anything = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.object({ maxDepth: 2 }),
);

/** A value as the schema has it, and once in a while any other. */
function nearly(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 40, arbitrary: fitting(schema) }, anything);
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 6 }), fc.maxSafeInteger());
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(nearly(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objectOf(schema);
    default:
      return text;
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, nearly(schema)] as const);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] });
  const isOpen = typeof additionalProperties === 'object';
  const others = fc.dictionary(text, isOpen ? text : anything, { maxKeys: isOpen ? 3 : 1 });
  return fc.oneof(
    { weight: 4, arbitrary: isOpen ? others : known },
    fc.tuple(known, others).map(([a, b]) => ({ ...b, ...a })),
  );
}

/** All requests of the document, each as often as another. */
function fuzzedRequests(): fc.Arbitrary<FuzzedRequest> {
  const { paths } = JSON.parse(JSON.stringify(openApi(OPERATIONS))) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => requestOf(path, method, described)),
  );
  return fc.oneof(...requests);
}

function requestOf(path: string, method: string, described: Described): fc.Arbitrary<FuzzedRequest> {
  const query = described.parameters.filter((one) => one.in === 'query');
  const content = described.requestBody?.content['application/json'];
  const json =
    content === undefined
      ? undefined
      : nearly(content.schema ?? {}).map((value) => JSON.stringify(value) ?? '');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    text.map((one) => Buffer.from(`Email,Course ID\n${one},C-1\n`)),
  );
  const body = described.requestBody === undefined ? fc.constant(undefined) : (json ?? bytes);
  return fc
    .record({
      part: text,
      query: fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, nearly(schema)])), {
        requiredKeys: [],
      }),
      key: fc.option(text, { nil: undefined, freq: 4 }),
      body: fc.oneof({ weight: 9, arbitrary: body }, text as fc.Arbitrary<string | Uint8Array | undefined>),
    })
    .map((made) => {
      const search = new URLSearchParams(
        Object.entries(made.query).map(([name, value]): [string, string] => [
          name,
          wellFormed(printed(value)),
        ]),
      );
      const key =
        made.key !== undefined && /^[\x20-\x7e]*$/.test(made.key) ? { 'idempotency-key': made.key } : {};
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path: `${path.replace(/\{\w+\}/, () => encodeURIComponent(wellFormed(made.part)) || 'x')}?${search}`,
        headers: {
          ...key,
          ...(method === 'get'
            ? {}
            : { 'content-type': json === undefined ? 'application/octet-stream' : 'application/json' }),
        },
        body: method === 'get' ? undefined : made.body,
      };
    });
}

/** Objects can be without a text of their own. */
function printed(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Surrogates without their other half are no part of an address. */
function wellFormed(sent: string): string {
  return sent.replace(/[\ud800-\udfff]/g, '?');
}

/** Sends so many requests. Throws where a bug answers, or an answer isn't as the document describes it. @returns the statuses by operation. */
export async function fuzz(
  client: ApiClient,
  { seed, requests }: { readonly seed: number; readonly requests: number },
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const answered = new Map<string, Set<number>>();
  for (const { id, path, body, ...head } of fc.sample(fuzzedRequests(), { seed, numRuns: requests })) {
    const init = { ...head, ...(body === undefined ? {} : { body: body as string }) };
    const signal = AbortSignal.timeout(30_000);
    const { status } = await client.ask(path, { ...init, signal }).catch((error: Error) => {
      throw signal.aborted ? new Error(`no answer to ${id} ${path} ${String(body)}`) : error;
    });
    if (status === 500) throw new Error(`a bug answered ${id} ${path} ${String(body)}`);
    answered.set(id, (answered.get(id) ?? new Set()).add(status));
  }
  return answered;
}
