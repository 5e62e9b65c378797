import type { UntakenCode } from '../../domain/files/untaken-file.js';

/** A ready file that could not be taken at its turn, or an entry of processing/ or archive/ that Registrar doesn't know as it is. */
export interface NotTaken {
  /** Its present path. */
  readonly path: string;
  readonly code: UntakenCode;
  /** Follows the path in a sentence, without its full stop. */
  readonly reason: string;
  /** A plain sentence. */
  readonly remedy: string;
  /** False where the next run takes it and no person has made a mistake. */
  readonly needsAttention: boolean;
}

/** Something else than Registrar has written in processing/ or archive/. @param did what Registrar did about it: plain sentences. */
export function workspaceChanged(path: string, reason: string, did: string): NotTaken {
  return {
    path,
    code: 'workspace-changed',
    reason,
    remedy: `${did} Leave processing/ and archive/ to Registrar: senders write under another name and rename, or set stableFor to more than their pauses.`,
    needsAttention: true,
  };
}
