import { z } from 'zod';
import { problemSchema } from '../../documents/common.js';
import { DOCUMENTS } from '../../documents/words.js';
import { VERSION } from '../../version.js';
import { type ApiOperation, TAGS } from './operation.js';
import { REFUSALS, type RefusalStatus } from './refusal.js';

export function openApi(operations: readonly ApiOperation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Registrar',
      version: VERSION,
      description: 'What the command line does, for programs. See docs/api.md and docs/cli-json.md.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The administrator of this console' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Made by registrar token add.' },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
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

/** The headers of answers, by the names that the document refers to. */
const HEADERS = {
  'RateLimit-Policy': header('The limits on requests: the most (q) in so many seconds (w).'),
  RateLimit: header('What is left of them: requests (r) and the seconds until all are there again (t).'),
  'Retry-After': header('The seconds to wait.'),
  ETag: header('Another one once the document is another; send it as If-None-Match.'),
  Link: header('The page that follows, with rel="next"; absent on the last page.'),
  Location: header('The address that shows what goes on.'),
  'Idempotency-Replayed': header('true: the answer to an earlier request with the same key.'),
  'WWW-Authenticate': header('How to authenticate.'),
};

function header(description: string) {
  return { description, schema: { type: 'string' } };
}

const PARAMETERS = {
  key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your own for this request: sent again with the same key, it does nothing again and gets the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  known: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the document that you have.',
    schema: { type: 'string' },
  },
};

function refusalsOf({ body }: ApiOperation): RefusalStatus[] {
  const ofBody = body === null ? [] : ([400, 408, 413, 415] as const);
  return [...ofBody, 401, 403, 404, 409, 422, 429, 500, 503];
}

function operationObject(operation: ApiOperation) {
  const { id, tag, summary, roles, answers, body, method, takesKey } = operation;
  const isRead = method === 'get';
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
    ...(body === null ? {} : { requestBody: { required: true, content: requestContent(body) } }),
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

function requestContent(body: z.ZodObject | 'file') {
  if (body === 'file') return { 'application/octet-stream': {} };
  return { 'application/json': { schema: inputSchema(body) } };
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
