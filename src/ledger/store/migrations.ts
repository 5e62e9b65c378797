import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { errorsOf } from '../../domain/operator-error.js';
import { INSTALLATION } from '../../domain/process/installation.js';

export interface Migration {
  readonly name: string;
  readonly text: string;
  /** Of the text: it identifies an applied file. */
  readonly sha256: string;
}

export function migrationsOf(engine: 'sqlite' | 'postgres'): URL {
  return new URL(`migrations/${engine}/`, INSTALLATION);
}

export const unopened = errorsOf('open the ledger');

/** Throws OperatorError where a newer Registrar wrote the ledger, or an applied file differs. */
export function refuseForeign(
  applied: readonly { name: string; sha256: string }[],
  migrations: readonly Migration[],
  ledger: string,
): void {
  applied.forEach((entry, index) => {
    const expected = migrations[index];
    if (expected && expected.name === entry.name && expected.sha256 === entry.sha256) return;
    const why = expected?.name === entry.name ? 'knows in another form' : "doesn't know";
    const message = `${ledger} was written by a newer or different Registrar: its schema has ${entry.name}, which this program ${why}`;
    throw unopened(ledger, message, 'Use the Registrar that wrote it, or a newer one. Nothing was changed.');
  });
}

export function readMigrations(folders: readonly URL[]): Migration[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^\d{4}-.*\.sql$/.test(name))
      .sort()
      .map((name) => {
        const text = readFileSync(new URL(name, folder), 'utf8');
        return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
      }),
  );
}
