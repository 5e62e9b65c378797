import { z } from 'zod';
import { failureSchema } from '../../documents/common.js';
import { DOCUMENTS } from '../../documents/words.js';
import { VERSION } from '../../version.js';
import type { ApiOperation } from './operation.js';

/** The interface as an OpenAPI 3.1 document. */
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
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Made by registrar token add.' },
      },
      schemas: documentSchemas(),
    },
  };
}

/** The status of every refusal, and when it is given. */
const REFUSALS: readonly [status: number, description: string, when: (operation: ApiOperation) => boolean][] =
  [
    [400, 'The body is no JSON.', hasJson],
    [401, 'There is no token, or it is not valid.', () => true],
    [403, 'It is not for the role of the token.', () => true],
    [408, 'The body came too slowly.', ({ body }) => body !== null],
    [409, 'It can’t be done as things are. Nothing was changed.', () => true],
    [413, 'The body is too large.', ({ body }) => body !== null],
    [415, 'The body is of another kind.', hasJson],
    [422, 'The request has mistakes, all of which are named.', () => true],
    [429, 'Too many wrong tokens came from the address.', () => true],
    [500, 'A fault of the program.', () => true],
    [503, 'The disk, the ledger or the platform can’t be used now.', () => true],
  ];

function hasJson({ body }: ApiOperation): boolean {
  return body !== null && body !== 'file';
}

function operationObject(operation: ApiOperation) {
  const { id, summary, roles, answers, body } = operation;
  const refusals = REFUSALS.filter(([, , isGiven]) => isGiven(operation)).map(([status, description]) => [
    status,
    answerObject(failureSchema, description),
  ]);
  const given = Object.entries(answers).map(([status, answer]) => [status, answerObject(answer)]);
  return {
    operationId: id,
    summary,
    description: `For the roles ${roles.join(', ')}.`,
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(body === null ? {} : { requestBody: { required: true, content: requestContent(body) } }),
    responses: Object.fromEntries([...given, ...refusals]),
  };
}

function answerObject(document: z.ZodType, description = document.description) {
  const schema = { $ref: reference(DOCUMENTS.get(document)?.id ?? '') };
  return { description, content: { 'application/json': { schema } } };
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

/** What a request may hold, as JSON Schema. */
export function inputSchema(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input', override: withoutBounds });
  return plain;
}

/** The schemas of all documents, by their names. */
function documentSchemas(): Readonly<Record<string, unknown>> {
  const { schemas } = z.toJSONSchema(DOCUMENTS, { uri: reference, override: withoutBounds });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, ...plain }]) => [id, plain]),
  );
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The bounds of what a double holds exactly say nothing about a count. */
function withoutBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
