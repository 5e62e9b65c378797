import { addressMistake, isLoopback } from './address.js';
import { listenAddress, listenText } from './listen-address.js';

/** What is wrong with the address where browsers reach the console, as the end of a sentence; null when nothing is. */
export function consoleAddressMistake(address: string): string | null {
  const mistake = addressMistake(address, 'https://registrar.example');
  if (mistake !== null) return mistake.text;
  return new URL(address).pathname === '/'
    ? null
    : 'has a path; write scheme, host and port alone: the pages are at the top of their host';
}

/** True where an address to listen at, such as `127.0.0.1:8480`, is reached from this machine alone; false for no address too. */
export function isLocalAddress(text: string): boolean {
  const address = listenAddress(text);
  if (address === null) return false;
  const written = `http://${listenText(address)}`;
  return URL.canParse(written) && isLoopback(new URL(written).hostname);
}
