import { OperatorError } from '../domain/operator-error.js';
import type { FetchedFile } from '../ledger/drops/record-inbox.js';

/** A file of a remote inbox, as it was when it was listed. */
export interface RemoteFile {
  readonly name: string;
  /** Other bytes under the same name have another one, as far as the server knows. null: it doesn't say, and the bytes decide. */
  readonly version: string | null;
  /** null: the server doesn't say. */
  readonly sizeBytes: number | null;
  /** When it was written, by the clock of the server; ISO. */
  readonly modifiedAt: string;
}

/**
 * A remote inbox to which a connection is open. All of it throws `RemoteFault`: of the source where the place can't be used,
 * of the file where that one alone can't.
 */
export interface RemotePlace {
  /** True where a file appears at once and whole, so that it need not be looked at twice. */
  readonly isWhole: boolean;
  /** The plain files in it, in no order. @param fetched the versions that were fetched, the latest last. */
  list(fetched: readonly FetchedFile[]): Promise<readonly RemoteFile[]>;
  /** The file as it is now; null where it is gone. */
  stat(name: string): Promise<RemoteFile | null>;
  /** Its bytes, up to one more than its size, so that a file that has grown is noticed. */
  read(file: RemoteFile): AsyncIterable<Uint8Array>;
  /** How originals are settled; null: they stay where they are. */
  readonly settling: Settling | null;
  close(): void;
}

/** What can become of an original. */
export interface Settling {
  remove(name: string): Promise<void>;
  /** Moves it into the archive folder, and never over a file there. */
  archive(name: string): Promise<void>;
  /** Makes an empty hidden file, settles it as originals are, and removes it: throws where the account may not. */
  try(how: 'archive' | 'delete'): Promise<void>;
}

/** A fault of a remote inbox, or of one file in it. Its subject is the source or the file. */
export class RemoteFault extends OperatorError {
  readonly about: 'source' | 'file';

  constructor(about: 'source' | 'file', details: ConstructorParameters<typeof OperatorError>[0]) {
    super(details);
    this.about = about;
  }
}

/** Why a server can't be reached, after "it". */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  // As undici says it.
  const refusal = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal !== undefined) return `the proxy answers CONNECT with ${refusal}`;
  return REASONS[code] ?? (message || code || String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses the connection',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'its name can’t be looked up now',
  ETIMEDOUT: 'it doesn’t answer',
  UND_ERR_CONNECT_TIMEOUT: 'it doesn’t answer',
  UND_ERR_HEADERS_TIMEOUT: 'it doesn’t answer',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; name its file in caFile',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is of an unknown authority; name the authority’s file in caFile',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is of an unknown authority; name the authority’s file in caFile',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is of an unknown authority; name the authority’s file in caFile',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};
