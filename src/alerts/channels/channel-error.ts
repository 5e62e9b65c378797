/** Why a channel didn't take a message: a sentence of our own, which holds no secret and nothing that a server said. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
}
