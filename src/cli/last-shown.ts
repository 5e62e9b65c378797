import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../workspace/files/durable.js';

/** The name in the workspace of the file that says what `registrar run --changed` has shown last. */
const LAST_SHOWN_FILE = 'registrar.last-shown';

/** False where this is what was shown last. Where nothing is known of it, nothing has been wrong so far. */
export function hasChanged(root: string, facts: readonly string[]): boolean {
  try {
    return readFileSync(join(root, LAST_SHOWN_FILE), 'utf8') !== hashOf(facts);
  } catch {
    return facts.length > 0;
  }
}

/** Saves a hash of what was shown: file names may be personal. */
export async function saveLastShown(root: string, facts: readonly string[]): Promise<void> {
  await writeFileAtomic(join(root, LAST_SHOWN_FILE), hashOf(facts));
}

function hashOf(facts: readonly string[]): string {
  return `SHA-256 ${hash('sha256', JSON.stringify(facts))}\n`;
}
