import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import { pgpKeys } from '../../intake/container/decrypt-pgp.js';
import { type Finding, findings } from './finding.js';

const key = findings('key', 'usage');

/** Checks the keys of the sources whose files are encrypted. */
export async function* checkKeys(sources: readonly SourceConfig[]): AsyncGenerator<Finding> {
  for (const { name, decrypt } of sources) {
    if (decrypt === undefined) continue;
    try {
      await pgpKeys(decrypt, name);
      yield key.ok(name, 'its files can be decrypted');
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      yield key.broken(error.subject, error.message, error.hint);
    }
  }
}
