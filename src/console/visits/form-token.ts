import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the forms of a browser carry: only a page that this server made for the holder of the cookie can have it. */
export function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

/** True where a form carries the token of the browser that sends it. */
export function isFormToken(token: string | undefined, secret: string | undefined): boolean {
  if (token === undefined || secret === undefined || secret === '') return false;
  const [left, right] = [Buffer.from(token), Buffer.from(formTokenOf(secret))];
  return left.length === right.length && timingSafeEqual(left, right);
}
