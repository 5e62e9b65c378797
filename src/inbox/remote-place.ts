import type { SourceConfig } from '../config/schema.js';
import { type ExitName, OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';
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

/** A place that can't be used. */
export function sourceFault(
  { name }: Pick<SourceConfig, 'name'>,
  operation: string,
  message: string,
  hint: string,
  exit: ExitName = 'usage',
  cause?: unknown,
): RemoteFault {
  return new RemoteFault('source', { operation, subject: name, message, hint, exit, cause });
}

/** What to do about a place that is away. */
export function awayHint({ name }: Pick<SourceConfig, 'name'>): string {
  return `Registrar tries again by itself. registrar source test ${name} says whether it works.`;
}

/** What a kind of place knows about an error of its client. */
export interface KnownFault {
  readonly reason: string;
  readonly hint: string;
  readonly exit: 'io' | 'usage' | 'unavailable';
  /** The whole place is away, whatever the request was about. */
  readonly isAway?: boolean;
}

/** A place whose methods throw what its client throws, as one whose methods throw `RemoteFault`. */
export function withFaults(
  source: SourceConfig,
  address: string,
  place: RemotePlace,
  explain: (error: unknown) => KnownFault,
): RemotePlace {
  const faultOf = (what: string, error: unknown, file: string | null): RemoteFault => {
    if (error instanceof RemoteFault) return error;
    const { reason, hint, exit, isAway = false } = explain(error);
    if (file === null || isAway)
      return sourceFault(
        source,
        what,
        `could not ${what} for source ${source.name}: ${reason}`,
        hint,
        exit,
        error,
      );
    const message = `could not ${what}: ${reason}`;
    return new RemoteFault('file', {
      operation: what,
      subject: file,
      message,
      hint,
      exit: 'attention',
      cause: error,
    });
  };
  const within = <T>(work: Promise<T>, operation: string, file: string) =>
    work.catch((error) => {
      throw faultOf(`${operation} ${visibleText(file)}`, error, file);
    });
  const { settling } = place;
  return {
    ...place,
    list: (fetched) =>
      place.list(fetched).catch((error) => {
        throw faultOf(`list ${address}`, error, null);
      }),
    stat: (name) => within(place.stat(name), 'look at', name),
    async *read(file) {
      try {
        yield* place.read(file);
      } catch (error) {
        throw faultOf(`read ${visibleText(file.name)}`, error, file.name);
      }
    },
    settling: settling && {
      remove: (name) => within(settling.remove(name), 'delete', name),
      archive: (name) => within(settling.archive(name), 'archive', name),
      try: (how) => within(settling.try(how), how, 'a test file'),
    },
  };
}

/** Why a server can't be reached, after "it". */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  // As undici says it.
  const refusal = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal !== undefined) return `the proxy answers CONNECT with ${refusal}`;
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? (message || code || String(error));
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'it refuses the connection'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its name has no address'],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, 'it doesn’t answer'],
  [/^E(HOST|NET)UNREACH$/, 'there is no way to it'],
  [/^(ECONNRESET|UND_ERR_SOCKET)$/, 'it closed the connection'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/ALTNAME/, 'its certificate is for another host'],
  [/CERT|^UNABLE_TO/, 'its certificate is of an unknown authority; name the authority’s file in caFile'],
];
