import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../workspace/files/durable.js';

/** The name in the workspace of the file that says what `registrar run --changed` has shown last. */
const LAST_SHOWN_FILE = 'registrar.last-shown.json';

/** False where this is what was shown last. Where nothing is known of it, nothing has been wrong so far. */
export function isNews(root: string, facts: readonly string[]): boolean {
  try {
    const { sha256 } = JSON.parse(readFileSync(join(root, LAST_SHOWN_FILE), 'utf8'));
    return sha256 !== hashOf(facts);
  } catch {
    return facts.length > 0;
  }
}

/** Notes what was shown, without a word of it: names of files may be personal. */
export async function saveLastShown(root: string, facts: readonly string[]): Promise<void> {
  const about = 'What registrar run --changed has shown last, so that it is shown once.';
  const text = JSON.stringify({ about, sha256: hashOf(facts) }, null, 2);
  await writeFileAtomic(join(root, LAST_SHOWN_FILE), `${text}\n`);
}

function hashOf(facts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
