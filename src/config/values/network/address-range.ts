import { isIP } from 'node:net';

/** What is wrong with the address of a proxy, as the end of a sentence; null when nothing is. */
export function proxyAddressMistake(text: string): string | null {
  const range = addressRange(text);
  if (range === null) return 'is not an IP address such as 10.0.0.5, or a range such as 10.1.0.0/16';
  return range.prefix === 0 ? 'names every machine: each could write the header; name only the proxy' : null;
}

export interface AddressRange {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** Reads `10.0.0.5`, `10.1.0.0/16` or `fd00::/8`; null where the text is neither an address nor a range. */
export function addressRange(text: string): AddressRange | null {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const maxBits = version === 4 ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const prefix = bits === undefined ? maxBits : Number(bits);
  return prefix > maxBits ? null : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}
