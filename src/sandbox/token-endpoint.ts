import type { AccessTokens, SandboxClient } from './access-tokens.js';
import { jsonAnswer, type Refusal, type SandboxAnswer, type SandboxRequest } from './answer.js';

/** Specification §4.3. */
export const TOKEN_PATH = '/oauth/token';

/** The client id a token request names, null when it names none. */
export function claimedClientId(request: SandboxRequest): string | null {
  return new URLSearchParams(request.body ?? '').get('client_id');
}

/**
 * The specification shows neither grant type nor parameters; these are the publicly known ones: a form with
 * `client_credentials` and scopes by comma or space. Wrong credentials and a foreign scope are answered with 403.
 */
export function answerTokenRequest(
  request: SandboxRequest,
  nowMs: number,
  clients: readonly SandboxClient[],
  tokens: AccessTokens,
  lifetimeMs: number,
): SandboxAnswer | Refusal {
  if (request.method !== 'POST') return { status: 405, detail: 'Tokens are obtained with POST.' };
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    return { status: 400, detail: 'The token request must be form-encoded.' };
  }
  const form = new URLSearchParams(request.body ?? '');
  if (form.get('grant_type') !== 'client_credentials') {
    return { status: 400, detail: 'The grant type must be client_credentials.' };
  }
  const client = clients.find(({ clientId }) => clientId === form.get('client_id'));
  if (!client || client.clientSecret !== form.get('client_secret')) {
    return { status: 403, detail: 'The client credentials are not valid.' };
  }
  const scopes = (form.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  const foreign = scopes.find((scope) => !client.scopes.includes(scope));
  if (foreign !== undefined) {
    return { status: 403, detail: 'The client does not own the scope.', source: foreign };
  }
  const token = tokens.issue(client.clientId, scopes, nowMs);
  const answer = jsonAnswer(200, {
    access_token: token,
    token_type: 'bearer',
    expires_in: Math.floor(lifetimeMs / 1000),
    scope: scopes.join(','),
  });
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}
