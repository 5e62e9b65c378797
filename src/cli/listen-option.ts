import { type ListenAddress, listenAddress, listenMistake } from '../config/values/network/listen-address.js';
import { usageError } from './usage-error.js';

/** The address of `--listen`, else that of registrar.yaml; null: neither has one. */
export function listenOption(
  option: string | undefined,
  configured: string | undefined,
): ListenAddress | null {
  const text = option ?? configured;
  if (text === undefined) return null;
  const address = listenAddress(text);
  if (address !== null) return address;
  throw usageError(
    '--listen',
    `--listen "${text}" ${listenMistake(text)}`,
    'Write an address of this machine alone, such as 127.0.0.1:8480; at others, other machines reach what is served.',
  );
}
