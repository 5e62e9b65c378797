import { faultAt } from '../../platform/answers/fault-words.js';
import type { HttpFailure } from '../../platform/http.js';
import { networkFault } from '../../platform/network-fault.js';

/** Why a channel refused a message: our own sentence, with no secrets and no text from a server. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
}

/** Why a host was not reached. The sentence names the host and no more of its address, which may be a secret. */
export function unreachable(host: string, failure: HttpFailure): ChannelError {
  const fault = networkFault(failure);
  return new ChannelError(
    fault === null ? 'was cancelled' : `can't be reached: ${faultAt(fault.code, host)}`,
  );
}
