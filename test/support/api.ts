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
import type { TestWorkspace } from './workspace.js';

/** An answer whose document was compared with the interface's description. */
export interface ApiResponse<Document = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly document: Document;
}

/** A program with a token. */
export interface ApiClient {
  get<Document>(path: string): Promise<ApiResponse<Document>>;
  post<Document>(path: string, body: unknown): Promise<ApiResponse<Document>>;
  /** Sends the bytes of a file. */
  send<Document>(path: string, content: string | Uint8Array): Promise<ApiResponse<Document>>;
}

/** The interface of a workspace on a real port. Every answer must be as the document describes it. */
export async function testApi(
  { root }: Pick<TestWorkspace, 'root'>,
  env: Readonly<Record<string, string>> = CREDENTIALS,
) {
  const context = await openWorkspace(readWorkspace(root, { env: { ...programEnv(), ...env }, cwd: root }));
  const console = await testConsole(() => context);
  onTestFinished(async () => {
    await console.close();
    await closeWorkspace(context);
  });
  const client = async (role: Role, name: string = role): Promise<ApiClient> => {
    const { secret } = await addToken(context, { name, role }, decider('ada'));
    const headers = { authorization: `Bearer ${secret}` };
    const ask = (path: string, init: RequestInit) =>
      describedAnswer(new URL(`/api/v1${path}`, console.url), {
        ...init,
        headers: { ...headers, ...init.headers },
      });
    return {
      get: (path) => ask(path, {}),
      post: (path, body) =>
        ask(path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      send: (path, content) =>
        ask(path, { method: 'POST', body: content, headers: { 'content-type': 'application/octet-stream' } }),
    } as ApiClient;
  };
  return { context, url: console.url, failures: console.failures, client };
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

/** Asks, and fails where the answer isn't as the document and the schema of its operation have it. */
async function describedAnswer<Document>(url: URL, init: RequestInit): Promise<ApiResponse<Document>> {
  const response = await fetch(url, init);
  const text = await response.text();
  const document = JSON.parse(text) as Document;
  const path = url.pathname.replace('/api/v1', '');
  const method = (init.method ?? 'GET').toLowerCase();
  const operation = OPERATIONS.find((one) => one.method === method && isAt(one.path, path));
  const { status, headers } = response;
  if (operation !== undefined) {
    answeredOperations.add(`${operation.id} ${status}`);
    const wrong = faultsOf(operation.path, method, status, document);
    const strict = operation.answers[status]?.safeParse(document);
    if (strict?.success === false) wrong.push(...strict.error.issues.map((issue) => JSON.stringify(issue)));
    if (wrong.length > 0)
      throw new Error(
        `${method} ${path} ${status} is not as described:\n${wrong.join('\n')}\n${text.slice(0, 2_000)}`,
      );
  }
  return { status, headers, document };
}

function faultsOf(path: string, method: string, status: number, document: unknown): string[] {
  const responses = (DOCUMENT.paths[path]?.[method] as { responses?: Record<string, Described> } | undefined)
    ?.responses;
  const schema = responses?.[String(status)]?.content['application/json'].schema.$ref;
  if (schema === undefined) return [`the document has no ${status}`];
  const isValid = ajv.getSchema(`document${schema}`);
  if (isValid === undefined) return [`the document has no ${schema}`];
  return isValid(document) ? [] : (isValid.errors ?? []).map((error) => JSON.stringify(error));
}

interface Described {
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

function isAt(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** What is wrong with the document as OpenAPI; empty: nothing. */
export async function faultsOfDocument(): Promise<readonly unknown[]> {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(DOCUMENT)));
  return valid ? [] : [errors];
}
