import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileOf } from '../../src/ledger/store/query.js';
import { workspacePaths } from '../../src/workspace/folders.js';
import { document } from '../support/markdown.js';
import { testLedger } from '../support/staged-ledger.js';

interface Replicated {
  readonly dbs: readonly {
    readonly path: string;
    readonly 'truncate-page-n': number;
    readonly replica: Readonly<Record<string, string>>;
  }[];
}

const { dbs } = parse(document('deploy/litestream.yml')) as Replicated;

it('Litestream replicates the ledger of the workspace that the units have', () => {
  const [, root = ''] =
    /^Environment=REGISTRAR_WORKSPACE=(\S+)/m.exec(document('deploy/systemd/registrar.service')) ?? [];
  expect(dbs.map(({ path }) => path)).toEqual([workspacePaths(root).ledger]);
});

it('Litestream blocks other processes only for a log that Registrar has long checkpointed', () => {
  const { sqlite } = fileOf(testLedger());
  expect(sqlite.pragma('page_size', { simple: true })).toBe(16_384);
  expect(dbs[0]?.['truncate-page-n']).toBeGreaterThan(
    sqlite.pragma('wal_autocheckpoint', { simple: true }) as number,
  );
});

it('the configuration of Litestream holds no credential', () => {
  expect(Object.keys(dbs[0]?.replica ?? {}).filter((key) => /key|secret|token/.test(key))).toEqual([]);
});
