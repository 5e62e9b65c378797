import { isLoopback } from './address.js';

/** What is wrong with the address of a webhook, as the end of a sentence; null when nothing is. It may be a secret. */
export function webhookMistake(address: string): string | null {
  if (!URL.canParse(address)) return 'is not an address such as https://hooks.example/registrar';
  const { protocol, hostname, username, password, hash } = new URL(address);
  if (username !== '' || password !== '') return 'carries a user name or password; remove it';
  if (hash !== '' || address.includes('#')) return 'must end before #';
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return null;
  return 'must begin with https://; plain http is for this machine alone (127.0.0.1, ::1, localhost)';
}

/**
 * What is wrong with a mail address, as the end of a sentence; null when nothing is. Names beside the address are refused:
 * nothing that needs quoting reaches a header.
 */
export function mailAddressMistake(address: string): string | null {
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i.test(address)
    ? null
    : 'is not a mail address alone, such as ops@example.com';
}
