import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { onTestFinished } from 'vitest';
import { addToken } from '../../src/actions/access/tokens.js';
import { closeWorkspace, openWorkspace, readWorkspace } from '../../src/actions/context.js';
import { openApi } from '../../src/console/api/open-api.js';
import { OPERATIONS } from '../../src/console/api/operations.js';
import type { Role } from '../../src/domain/access/role.js';
import { programEnv } from './command-line.js';
import { testConsole } from './console.js';
import { decider } from './decider.js';
import { ledgerEnv, type TestWorkspace } from './workspace.js';

/** An answer whose document was compared with the interface's description. */
export interface ApiResponse<Document = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly document: Document;
}

type SentHeaders = Readonly<Record<string, string>>;

/** A program with a token. */
export interface ApiClient {
  /** Its token. */
  readonly secret: string;
  ask<Document>(path: string, init: RequestInit): Promise<ApiResponse<Document>>;
  get<Document>(path: string, headers?: SentHeaders): Promise<ApiResponse<Document>>;
  post<Document>(path: string, body: unknown, headers?: SentHeaders): Promise<ApiResponse<Document>>;
  /** Sends the bytes of a file. */
  send<Document>(
    path: string,
    content: string | Uint8Array,
    headers?: SentHeaders,
  ): Promise<ApiResponse<Document>>;
}

/** The interface of a workspace on a real port. Every answer must be as the document describes it. */
export async function testApi(
  { root, database }: Pick<TestWorkspace, 'root' | 'database'>,
  env: Readonly<Record<string, string>> = CREDENTIALS,
) {
  const context = await openWorkspace(
    readWorkspace(root, { env: { ...programEnv(), ...env, ...ledgerEnv({ database }) }, cwd: root }),
  );
  const console = await testConsole(() => context);
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= console.close().then(() => closeWorkspace(context)));
  onTestFinished(close);
  const client = async (role: Role, known?: string): Promise<ApiClient> => {
    const secret = known ?? (await addToken(context, { name: role, role }, decider('ada'))).secret;
    const headers = { authorization: `Bearer ${secret}` };
    const ask = (path: string, init: RequestInit) =>
      describedAnswer(new URL(`/api/v1${path}`, console.url), {
        ...init,
        headers: { ...headers, ...init.headers },
      });
    return {
      secret,
      ask,
      get: (path, more) => ask(path, { headers: more ?? {} }),
      post: (path, body, more) =>
        ask(path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...more },
        }),
      send: (path, content, more) =>
        ask(path, {
          method: 'POST',
          body: content,
          headers: { 'content-type': 'application/octet-stream', ...more },
        }),
    } as ApiClient;
  };
  return { context, url: console.url, failures: console.failures, client, visitor: console.visitor, close };
}

/** Operations and statuses that were answered in this file, as `getStatus 200`. */
export const answeredOperations = new Set<string>();

const CREDENTIALS = { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };

const DOCUMENT = openApi(OPERATIONS);

/** By the document alone, as programs of others read it. */
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  .addVocabulary(['components'])
  .addSchema({
    $id: 'document',
    components: { schemas: DOCUMENT.components.schemas },
  });

/** Sends a request, and fails where the answer isn't as the document and the schema of its operation have it. */
async function describedAnswer<Document>(url: URL, init: RequestInit): Promise<ApiResponse<Document>> {
  const response = await fetch(url, init);
  const text = await response.text();
  const document = (text === '' ? null : JSON.parse(text)) as Document;
  const path = url.pathname.replace('/api/v1', '');
  const method = (init.method ?? 'GET').toLowerCase();
  const operation = OPERATIONS.find((one) => one.method === method && isAt(one.path, path));
  const { status, headers } = response;
  if (operation !== undefined) {
    answeredOperations.add(`${operation.id} ${status}`);
    const wrong = faultsOf(operation.path, method, response, document);
    const strict = operation.answers[status]?.safeParse(document);
    if (strict?.success === false) wrong.push(...strict.error.issues.map((issue) => JSON.stringify(issue)));
    if (wrong.length > 0)
      throw new Error(
        `${method} ${url.pathname}${url.search} ${status} is not as described:\n${wrong.join('\n')}\n${text.slice(0, 2_000)}`,
      );
  }
  return { status, headers, document };
}

function faultsOf(path: string, method: string, { status, headers }: Response, document: unknown): string[] {
  const responses = (DOCUMENT.paths[path]?.[method] as { responses?: Record<string, Described> } | undefined)
    ?.responses;
  const named = responses?.[String(status)];
  const described =
    named?.$ref === undefined ? named : DOCUMENT.components.responses[named.$ref.replace(/.*\//, '')];
  if (described === undefined) return [`the document has no ${status}`];
  if (status === 304) return document === null ? [] : ['304 has no body'];
  const type = headers.get('content-type') ?? '';
  const schema = (described as Described).content?.[type]?.schema.$ref;
  if (schema === undefined) return [`the document has no ${type} for ${status}`];
  const isValid = ajv.getSchema(`document${schema}`);
  if (isValid === undefined) return [`the document has no ${schema}`];
  return isValid(document) ? [] : (isValid.errors ?? []).map((error) => JSON.stringify(error));
}

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
}

function isAt(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** What is wrong with the document as OpenAPI; empty: nothing. */
export async function faultsOfDocument(): Promise<readonly unknown[]> {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(DOCUMENT)));
  return valid ? [] : [errors];
}
