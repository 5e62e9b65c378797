import { z } from 'zod';
import { dataFile } from '../../config/values/data-file.js';
import { problemSchema } from '../../documents/common.js';
import { DOCUMENTS } from '../../documents/words.js';
import { VERSION } from '../../version.js';
import type { RefusalStatus } from '../work/status-of.js';
import type { ApiOperation } from './operation.js';
import { REFUSALS } from './refusal.js';

/** What the document says of no operation alone: data/texts/openapi.yaml. */
const FRAME = dataFile<{
  readonly info: object;
  readonly tags: Readonly<Record<string, string>>;
  readonly token: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: object;
}>('texts/openapi');

export function openApi(operations: readonly ApiOperation[]) {
  const { info, tags, token, headers, parameters } = FRAME();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  }
  return {
    openapi: '3.1.1',
    info: { ...info, version: VERSION },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token },
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      parameters,
      responses: Object.fromEntries(
        [...new Set(operations.flatMap(refusalsOf))].map((status) => [
          REFUSALS[status][0],
          refusalObject(status),
        ]),
      ),
      schemas: documentSchemas(operations),
    },
  };
}

function refusalsOf({ body }: ApiOperation): RefusalStatus[] {
  const ofBody = body === null ? [] : ([400, 408, 413, 415] as const);
  return [...ofBody, 401, 403, 404, 409, 422, 429, 500, 503];
}

function operationObject(operation: ApiOperation) {
  const { id, tag, summary, roles, answers, body, method, takesKey } = operation;
  const isRead = method === 'get';
  const content =
    body === 'file'
      ? { 'application/octet-stream': {} }
      : { 'application/json': body && { schema: inputSchema(body) } };
  const refusals = refusalsOf(operation).map((status) => [
    status,
    { $ref: `#/components/responses/${REFUSALS[status][0]}` },
  ]);
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    answerObject(answer, [
      ...LIMITS,
      ...(isRead ? ['ETag'] : []),
      ...(operation.query.shape.after === undefined ? [] : ['Link']),
      ...(status === '202' ? ['Location'] : []),
      ...(takesKey ? ['Idempotency-Replayed'] : []),
    ]),
  ]);
  const unchanged = { description: 'The program has the document already.', headers: headersOf(['ETag']) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `For the roles ${roles.join(', ')}.`,
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...(isRead ? [{ $ref: '#/components/parameters/known' }] : []),
      ...(takesKey ? [{ $ref: '#/components/parameters/key' }] : []),
    ],
    ...(body === null ? {} : { requestBody: { required: true, content } }),
    responses: Object.fromEntries([...described, ...(isRead ? [[304, unchanged]] : []), ...refusals]),
  };
}

const LIMITS = ['RateLimit-Policy', 'RateLimit'] as const;

function headersOf(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function answerObject(document: z.ZodType, headers: readonly string[]) {
  const schema = { $ref: reference(nameOf(document)) };
  const { description } = document;
  return { description, headers: headersOf(headers), content: { 'application/json': { schema } } };
}

function refusalObject(status: RefusalStatus) {
  const own = status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 409 ? ['Retry-After'] : [];
  const [, description] = REFUSALS[status];
  const content = { 'application/problem+json': { schema: { $ref: reference(nameOf(problemSchema)) } } };
  return { description: `${description}.`, headers: headersOf([...LIMITS, ...own]), content };
}

function pathParameters({ path }: ApiOperation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: ApiOperation) {
  const { properties = {}, required = [] } = inputSchema(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

export function inputSchema(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', override: withoutBounds });
  return plain;
}

/** The schemas of the documents that are answered, and of those they refer to, by their names. */
function documentSchemas(operations: readonly ApiOperation[]): Readonly<Record<string, unknown>> {
  const { schemas } = z.toJSONSchema(DOCUMENTS, { uri: reference, override: withoutBounds });
  const answered = [problemSchema, ...operations.flatMap(({ answers }) => Object.values(answers))].map(
    nameOf,
  );
  const used = new Map<string, unknown>();
  for (const id of answered) {
    if (used.has(id)) continue;
    const { $schema: _schema, $id: _id, ...plain } = schemas[id] ?? {};
    used.set(id, plain);
    answered.push(...[...JSON.stringify(plain).matchAll(REFERENCE)].map(([, name = '']) => name));
  }
  return Object.fromEntries(used);
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

function nameOf(document: z.ZodType): string {
  return DOCUMENTS.get(document)?.id ?? '';
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The bounds of what a double holds exactly say nothing about a count. */
function withoutBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
