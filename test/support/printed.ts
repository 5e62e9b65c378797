import type { Io } from '../../src/cli/io.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { writeFirstLedger } from './empty-ledger.js';

/**
 * What a command prints with --json, run within this process.
 * @param how `stopped`: it is stopped from the start, for those that go on until then.
 */
export async function printed(
  args: readonly string[],
  cwd: string,
  how: {
    readonly env?: Readonly<Record<string, string>>;
    readonly stopped?: boolean;
    readonly input?: string;
  } = {},
): Promise<unknown> {
  if (args[0] === 'run' && !args.includes('--dry-run')) writeFirstLedger(cwd);
  let out = '';
  const io: Io = {
    out: (text) => {
      out += text;
    },
    err: () => {},
    input: () => how.input ?? '',
    isTerminal: false,
    env: how.env ?? { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' },
    cwd,
  };
  const signal = how.stopped ? AbortSignal.abort() : new AbortController().signal;
  await runCommandLine(['node', 'registrar', ...args, '--json', '--quiet'], io, {
    signal,
    onReload: () => {},
    logTo: () => {},
  });
  return JSON.parse(out);
}
