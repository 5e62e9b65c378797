import { ADDED_PATHS } from '../../platform-calls.js';

/** What is wrong with the address of a host; null: nothing. Plain http, which shows tokens, is for this machine alone. */
export function addressMistake(address: string, example = 'https://platform.example'): string | null {
  if (!URL.canParse(address)) return `is not an address such as ${example}`;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return 'carries a user name or password; remove it';
  if (/[?#]/.test(address)) return 'must end before ? and #; write only the address';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return null;
  return 'must begin with https://; plain http is only for this machine (127.0.0.1, ::1, localhost)';
}

/** The same for an address that may have a query, and may be a secret. */
export function queryAddressMistake(address: string, example: string): string | null {
  if (address.includes('#')) return 'must end before #';
  return addressMistake(address.split('?', 1)[0] ?? '', example);
}

/** What is wrong with the address of a webhook, which may be a secret. */
export function webhookMistake(address: string): string | null {
  return queryAddressMistake(address, 'https://hooks.example/registrar');
}

/** What is wrong with a mail address. Names beside it are refused: nothing that needs quoting reaches a header. */
export function mailAddressMistake(address: string): string | null {
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i.test(address)
    ? null
    : 'is not a plain mail address such as ops@example.com';
}

/** The address as the requests use it: without slashes at its end. */
export function normalizeAddress(address: string): string {
  return address.trim().replace(/(?<!\/)\/+$/, '');
}

/** The same, without the path that Registrar adds to an address of this key. */
export function hostAddress(key: keyof typeof ADDED_PATHS, address: string): string {
  const tidy = normalizeAddress(address);
  return tidy.endsWith(ADDED_PATHS[key]) ? normalizeAddress(tidy.slice(0, -ADDED_PATHS[key].length)) : tidy;
}

/** What is wrong with the address of this key; null when nothing is. */
export function hostAddressMistake(key: keyof typeof ADDED_PATHS, address: string): string | null {
  const mistake = addressMistake(address);
  if (mistake !== null) return mistake;
  const host = hostAddress(key, address);
  const text = `ends with ${ADDED_PATHS[key]}, which Registrar adds itself; write ${host}`;
  return host === normalizeAddress(address) ? null : text;
}

/** A host of this machine, as `URL` has it: the parser has already written 127.1 and 0x7f.1 as 127.0.0.1. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
