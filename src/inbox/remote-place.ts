import { OperatorError } from '../domain/operator-error.js';

/** A file of a remote inbox, as it was when it was listed. */
export interface RemoteFile {
  readonly name: string;
  /** Other bytes under the same name have another one, as far as the server tells. */
  readonly version: string;
  readonly sizeBytes: number;
  /** When it was written, by the clock of the server; ISO. */
  readonly modifiedAt: string;
}

/**
 * A remote inbox to which a connection is open. All of it throws `RemoteFault`: of the source where the place can't be used,
 * of the file where that one alone can't.
 */
export interface RemotePlace {
  /** The plain files in it, in no order. */
  list(): Promise<readonly RemoteFile[]>;
  /** The file as it is now; null where it is gone. */
  look(name: string): Promise<RemoteFile | null>;
  /** Its bytes, up to one more than its size, so that a file that has grown is noticed. */
  read(file: RemoteFile): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
  /** Moves it into the archive folder, and never over a file there. */
  archive(name: string): Promise<void>;
  /** Makes an empty hidden file, settles it as originals are, and removes it: throws where the account may not. */
  trySettling(how: 'archive' | 'delete'): Promise<void>;
  close(): void;
}

/** A fault of a remote inbox, or of one file in it. Its subject is the source or the file. */
export class RemoteFault extends OperatorError {
  readonly about: 'source' | 'file';

  constructor(about: 'source' | 'file', details: ConstructorParameters<typeof OperatorError>[0]) {
    super(details);
    this.about = about;
  }
}
