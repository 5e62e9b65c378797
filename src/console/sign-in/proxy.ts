import { BlockList, isIP } from 'node:net';
import type { ConsoleConfig } from '../../config/schema/console-schema.js';
import { addressRange } from '../../config/values/network/address-range.js';
import { type SignIn, withRole } from './sign-in.js';

/** As `headersDistinct` of Node has them: by name in lower case, each as often as it came. */
type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The user that the trusted proxy names in its header; null: there is no such proxy, the request came around it, or it names
 * no user. A header that came twice names none: one of the two may be the browser's own.
 * @param remoteAddress of the connection itself, never of a header; undefined: it has ended.
 */
export function proxyPerson(
  console: ConsoleConfig,
  remoteAddress: string | undefined,
  headers: DistinctHeaders,
): SignIn | null {
  const { proxy } = console;
  if (proxy === undefined || remoteAddress === undefined) return null;
  if (!isInRanges(proxy.addresses, remoteAddress)) return null;
  const name = onlyValue(headers, proxy.userHeader);
  if (name === null || name === '') return null;
  const groups = proxy.rolesHeader === undefined ? '' : onlyValue(headers, proxy.rolesHeader);
  // A comma: headers that a machine in between has joined.
  if (groups === null || name.includes(',')) return null;
  const listed = groups.split(',').flatMap((group) => group.trim() || []);
  return withRole(console, name, listed);
}

export function isInRanges(addresses: readonly string[], remoteAddress: string): boolean {
  // As a socket for both families writes an IPv4 address.
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return false;
  const trusted = new BlockList();
  for (const text of addresses) {
    const range = addressRange(text);
    if (range !== null) trusted.addSubnet(range.address, range.prefix, range.family);
  }
  return trusted.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** '' where the header is absent; null where it came more than once. */
function onlyValue(headers: DistinctHeaders, name: string): string | null {
  const values = headers[name.toLowerCase()] ?? [];
  return values.length > 1 ? null : decoded(values[0] ?? '').trim();
}

/** Node reads the bytes of a header as Latin-1, and proxies write names in UTF-8. */
function decoded(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
