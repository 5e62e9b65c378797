import { isLoopback } from './address.js';

export interface ListenAddress {
  /** As the system knows it: an IPv6 address is without brackets. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** What is wrong with an address to listen at, as the end of a sentence; null when nothing is. */
export function listenMistake(text: string): string | null {
  return listenAddress(text) === null
    ? 'is not an address and a port such as 127.0.0.1:9464, 0.0.0.0:9464 or [::1]:9464'
    : null;
}

/** The address in a text such as `127.0.0.1:9464`; null where it holds none. */
export function listenAddress(text: string): ListenAddress | null {
  const [, bracketed, name, digits = ''] =
    /^(?:\[([\da-fA-F:.]+)\]|([A-Za-z0-9][\w.-]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? name;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? null : { host, port };
}

export function listenText({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** True where an address to listen at is reached from this machine alone; false for no address too. */
export function isLocalAddress(text: string): boolean {
  const address = listenAddress(text);
  const written = `http://${address === null ? '' : listenText(address)}`;
  return URL.canParse(written) && isLoopback(new URL(written).hostname);
}
