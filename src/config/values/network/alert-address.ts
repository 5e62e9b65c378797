import { queryAddressMistake } from './address.js';

/** What is wrong with the address of a webhook, as the end of a sentence; null when nothing is. It may be a secret. */
export function webhookMistake(address: string): string | null {
  return queryAddressMistake(address, 'https://hooks.example/registrar');
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
