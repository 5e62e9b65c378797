import { type AddressMistake, addressMistake } from './address.js';

/**
 * What is wrong with an address to ping; null when nothing is. It is as secret as a password, because a request to it reports
 * success. So it is never shown.
 */
export function pingMistake(address: string): AddressMistake | null {
  const [before = ''] = address.split(/[?#]/, 1);
  const mistake = addressMistake(before);
  return mistake === null ? null : { text: PING_TEXTS.get(mistake.text) ?? mistake.text, showValue: false };
}

/** Where the sentences differ from those about a platform's address. */
const PING_TEXTS: ReadonlyMap<string, string> = new Map([
  [
    'carries a user name or password; remove it, credentials are clientId and clientSecret',
    'carries a user name or password; use an address that needs none',
  ],
]);

/** The address with a further step of its path: `/start` comes before a query. */
export function pingBelow(address: string, step: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${step}`;
  return url.href;
}
