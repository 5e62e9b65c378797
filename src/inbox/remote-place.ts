import type { SourceConfig } from '../config/schema.js';
import { type ExitName, OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { FetchedFile } from '../ledger/drops/record-inbox.js';

export interface RemoteFile {
  readonly name: string;
  /** Other bytes have another one, as far as the server knows. null: it doesn't say, and the bytes decide. */
  readonly version: string | null;
  /** null: the server doesn't say. */
  readonly sizeBytes: number | null;
  /** By the clock of the server; ISO. */
  readonly modifiedAt: string;
}

/** All of it throws `RemoteFault`: of the source where the place can't be used, else of the file. */
export interface RemotePlace {
  /** A file appears at once and whole, and need not be looked at twice. */
  readonly isWhole: boolean;
  /** Plain files, in no order. @param fetched the versions that were fetched, the latest last. */
  list(fetched: readonly FetchedFile[]): Promise<readonly RemoteFile[]>;
  /** The file as it is now; null where it is gone. */
  stat(name: string): Promise<RemoteFile | null>;
  /** Up to one byte more than its size, so that a file that has grown is noticed. */
  read(file: RemoteFile): AsyncIterable<Uint8Array>;
  /** The folder on the server as far as its files can be changed; null: they stay as they are. */
  readonly folder: RemoteFolder | null;
  close(): void;
}

export interface RemoteFolder {
  /**
   * Writes a result: under a hidden name first where a file appears before it is whole. Replaces an older file. Its fault
   * names the place, because the name of the file may be personal.
   */
  put(path: string, name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Never over a file in the archive folder. */
  archive(name: string): Promise<void>;
  /** Makes an empty hidden file, settles it as originals are, and removes it: throws where the account may not. */
  try(how: 'archive' | 'delete'): Promise<void>;
}

/** A retry after a crash writes the same name again, so that no part file remains. */
export function partName(name: string): string {
  return `.${name}.part`;
}

/** Its subject is the source or the file. */
export class RemoteFault extends OperatorError {
  readonly about: 'source' | 'file';

  constructor(about: 'source' | 'file', details: ConstructorParameters<typeof OperatorError>[0]) {
    super(details);
    this.about = about;
  }
}

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

/** A result that can't be written. Names the place: the name of the file may be personal. */
export function putFault(
  { source, place }: { readonly source: Pick<SourceConfig, 'name'>; readonly place: string },
  reason: string,
  cause: unknown,
): RemoteFault {
  const message = `could not write a result of source ${source.name} to ${place}: ${reason}`;
  return sourceFault(source, 'write a result', message, awayHint(source), 'io', cause);
}

export function awayHint({ name }: Pick<SourceConfig, 'name'>): string {
  return `Registrar tries again by itself. registrar source test ${name} says whether it works.`;
}

export interface KnownFault {
  readonly reason: string;
  readonly hint: string;
  readonly exit: 'io' | 'usage' | 'unavailable';
  readonly isAway?: boolean;
}

/** A place whose methods throw `RemoteFault` instead of what its client throws. */
export function withFaults(
  source: SourceConfig,
  address: string,
  place: RemotePlace,
  explain: (error: unknown) => KnownFault,
): RemotePlace {
  const faultOf = (what: string, error: unknown, file: string | null): RemoteFault => {
    if (error instanceof RemoteFault) return error;
    const { reason, hint, exit, isAway = false } = explain(error);
    const ofSource = `could not ${what} for source ${source.name}: ${reason}`;
    if (file === null || isAway) return sourceFault(source, what, ofSource, hint, exit, error);
    const details = { operation: what, subject: file, message: `could not ${what}: ${reason}`, hint };
    return new RemoteFault('file', { ...details, exit: 'attention', cause: error });
  };
  const guard = (what: string, file: string | null) => (error: unknown) => {
    throw faultOf(what, error, file);
  };
  const guardFile = (what: string, file: string) => guard(`${what} ${visibleText(file)}`, file);
  const { folder } = place;
  return {
    ...place,
    list: (fetched) => place.list(fetched).catch(guard(`list ${address}`, null)),
    stat: (name) => place.stat(name).catch(guardFile('look at', name)),
    async *read(file) {
      try {
        yield* place.read(file);
      } catch (error) {
        throw faultOf(`read ${visibleText(file.name)}`, error, file.name);
      }
    },
    folder: folder && {
      put: (path, name) =>
        folder.put(path, name).catch((error) => {
          if (error instanceof RemoteFault) throw error;
          throw putFault({ source, place: address }, explain(error).reason, error);
        }),
      remove: (name) => folder.remove(name).catch(guardFile('delete', name)),
      archive: (name) => folder.archive(name).catch(guardFile('archive', name)),
      try: (how) => folder.try(how).catch(guardFile(how, 'a test file')),
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
  [/^E(HOST|NET)UNREACH$/, 'this machine has no route to it'],
  [/^(ECONNRESET|UND_ERR_SOCKET)$/, 'it closed the connection'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/ALTNAME/, 'its certificate is for another host'],
  [/CERT|^UNABLE_TO/, 'its certificate is of an unknown authority; name the authority’s file in caFile'],
];
