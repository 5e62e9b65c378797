import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunResult } from '../../src/actions/run/run-lifecycle.js';
import { carryOut } from '../../src/actions/run.js';
import { loadConfig } from '../../src/config/load-config.js';
import { systemClock } from '../../src/domain/clock.js';
import { ledgerTotals } from '../../src/ledger/store/ledger-facts.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import type { StageEvent } from '../../src/staging/stage-context.js';
import { openWorkspace, type WorkspacePaths } from '../../src/workspace/folders.js';
import { decider } from './decider.js';
import { writeEmptyLedger } from './empty-ledger.js';
import { tempFolder } from './temp-folder.js';

/** A workspace whose runs go on in this process, so that a test can act between any two of their steps. */
export interface IntakeBench {
  readonly paths: WorkspacePaths;
  readonly ledger: Ledger;
  /** The inbox of academy, the first source. */
  readonly inbox: string;
  /** Delivers a file as a sender should. Returns its path. */
  drop(name: string, content: string | Buffer, source?: string): string;
  /** A run that sends nothing. @param act receives each staging event as it happens. @param interrupt stops the run. */
  run(act?: (event: StageEvent) => void, interrupt?: AbortSignal): Promise<RunResult>;
  /** Names in a folder of academy: `archive` and its like. */
  files(folder: 'archive' | 'processing' | 'rejected'): string[];
  /** How many submissions exist. */
  staged(): Promise<number>;
}

/** @param settings of both sources over the defaults. @param inbox where the first one's files come in. */
export async function intakeBench(
  settings: Readonly<Record<string, unknown>> = {},
  inbox: string | null = null,
): Promise<IntakeBench> {
  const root = tempFolder();
  const source = { operation: 'submit-completion', environment: 'main', stableFor: '0s', timeZone: 'UTC' };
  const config = {
    environments: {
      main: {
        baseUrl: 'http://127.0.0.1:1',
        authUrl: 'http://127.0.0.1:1',
        clientId: '${ID}',
        clientSecret: '${SECRET}',
      },
    },
    sources: [
      { name: 'academy', ...source, ...settings, ...(inbox === null ? {} : { inbox }) },
      { name: 'campus', ...source, ...settings },
    ],
  };
  writeFileSync(join(root, 'registrar.yaml'), JSON.stringify(config));
  const loaded = loadConfig(root, { ID: 'id', SECRET: 'secret' }).config;
  const paths = await openWorkspace(root, loaded);
  writeEmptyLedger(paths.ledger);
  const ledger = openLedger(paths.ledger, systemClock());
  onTestFinished(() => closeLedger(ledger));
  const folderOf = (name: string) =>
    name === 'academy' && inbox !== null ? inbox : join(root, 'inbox', name);
  return {
    paths,
    ledger,
    inbox: folderOf('academy'),
    drop(name, content, to = 'academy') {
      const folder = folderOf(to);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, '.new.tmp'), content);
      renameSync(join(folder, '.new.tmp'), join(folder, name));
      return join(folder, name);
    },
    run: (act = () => {}, interrupt = new AbortController().signal) =>
      carryOut(
        { ledger, clock: ledger.clock, config: loaded, paths, env: null },
        { trigger: 'manual', sources: [], confirmed: [], intake: true, push: false, maxDurationMs: null },
        decider('somebody'),
        { interrupt, onStage: act, onEstimate: () => {}, onPush: () => {} },
      ),
    files(folder) {
      const path = join(paths[folder], 'academy');
      return existsSync(path) ? readdirSync(path).sort() : [];
    },
    staged: async () => (await ledgerTotals(ledger)).submissions,
  };
}
