/** True where the ledger of each workspace is a database of its own. */
const IS_DATABASE = process.env.LEDGER === 'postgres';

/** Flows about a ledger in a file, each with its subject: they are left out where the ledger is a database. */
const FLOWS_OF_FILES: Readonly<Record<string, string>> = {
  'audit-sql': 'queries in the words of the sqlite3 shell',
  backup: 'copies of the file; database.test.ts shows that a database refuses them',
  'console-threads': 'threads that read the file; a database has a pool of connections',
  'ledger-copy': 'copies between the file and a database',
  restore: 'backups that take the place of the file; database.test.ts shows that a database refuses them',
  'unusable-driver': 'the module that opens the file',
  'verify-backup': 'copies of the file, restored for a test',
};

/** The test files to leave out. */
export const LEFT_OUT: readonly string[] = IS_DATABASE
  ? Object.keys(FLOWS_OF_FILES).map((name) => `test/flows/${name}.test.ts`)
  : [];

/** Options of a test that is left out where the ledger is a database. @param _about what of the file the test is about. */
export function onlyForFiles(_about: string): { readonly skip: boolean } {
  return { skip: IS_DATABASE };
}
