import { get } from 'node:http';
import type { Health } from '../domain/health/health.js';
import { isObject } from '../domain/text/is-object.js';

/** What the service says of itself. */
export type AskedReady =
  | { readonly kind: 'answered'; readonly health: Health }
  | { readonly kind: 'silent'; readonly reason: string };

/** The service answers within milliseconds, but while it looks how long a locked ledger stays locked. */
const ASK_MS = 8_000;

/** Longer than any list of problems. */
const MAX_CHARACTERS = 100_000;

/**
 * Requests the readiness of a service of this machine. By Node's own client: a health check starts faster without another
 * one, and nothing of it leaves the machine.
 */
export function askReady(url: string): Promise<AskedReady> {
  return new Promise((resolve) => {
    const silent = (reason: string) => resolve({ kind: 'silent', reason });
    if (!URL.canParse(url) || new URL(url).protocol !== 'http:')
      return silent('that is no address such as http://127.0.0.1:9464/readyz');
    const request = get(url, { timeout: ASK_MS, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > MAX_CHARACTERS) response.destroy();
      });
      response.on('end', () => {
        const health = healthIn(text);
        if (health === null) silent(`it answers ${response.statusCode}, and not as Registrar does`);
        else resolve({ kind: 'answered', health });
      });
      response.on('error', (error) => silent(error.message));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${ASK_MS / 1_000} s`)));
    request.on('error', ({ message }) => silent(message));
  });
}

/** null: the text is no answer of /readyz. */
function healthIn(text: string): Health | null {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) && Array.isArray(answer.findings) ? (answer as unknown as Health) : null;
  } catch {
    return null;
  }
}
