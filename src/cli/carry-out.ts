import { userInfo } from 'node:os';
import {
  type ActionContext,
  closeWorkspace,
  locateWorkspace,
  openWorkspace,
  openReadOnly as openWorkspaceReadOnly,
  readWorkspace,
  updateLedgerMarker,
  type Workspace,
} from '../actions/context.js';
import { type Finished, finishDecisions } from '../actions/decision/finish.js';
import type { CredentialsNeed } from '../config/env-references.js';
import type { Answer, Command, Finish, Interrupt } from './command.js';
import { COMMANDS } from './commands.js';
import { describeFailure, finishedText, troubleText } from './describe-failure.js';
import { explainError } from './explain-error.js';
import { type Io, show } from './io.js';
import { hasChanged, saveLastShown } from './last-shown.js';
import type { CommonOptions } from './options-of.js';

/** Runs one command, shows its answer, and closes the workspace that it has opened. */
export async function carryOut(
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
  { io, interrupt, finish }: { readonly io: Io; readonly interrupt: Interrupt; readonly finish: Finish },
): Promise<void> {
  let opened: ActionContext | null = null;
  let isReadOnly = false;
  const workspaces = new Map<CredentialsNeed | undefined, Workspace>();
  const workspace = (credentials?: CredentialsNeed): Workspace => {
    const read = workspaces.get(credentials) ?? readWorkspace(options.workspace, io, credentials);
    if (workspaces.size === 0 && !options.changed)
      for (const warning of read.warnings) io.err(`warning: ${warning}\n`);
    workspaces.set(credentials, read);
    return read;
  };
  const open = async () => {
    opened ??= await openWorkspace(workspace());
    return opened;
  };
  const openReadOnly = async (credentials?: CredentialsNeed) => {
    opened ??= await openWorkspaceReadOnly(workspace(credentials));
    isReadOnly = true;
    return opened;
  };
  const openToDecide = async ({ dryRun }: { readonly dryRun: boolean }) => {
    if (dryRun) return (await openReadOnly()) ?? open();
    const context = await open();
    const reportFinished = (finished: Finished) => {
      if (!options.quiet || finished.trouble !== null) io.err(finishedText(finished));
    };
    for (const error of await finishDecisions(context, null, reportFinished)) io.err(troubleText(error));
    return context;
  };
  const who = { name: accountOf(io), door: 'command-line' } as const;
  const locate = (folder = options.workspace) => locateWorkspace(folder, io);
  try {
    const { answer: answerTo } = await command.load();
    const answer = await answerTo({
      io,
      inputs,
      options,
      interrupt,
      who,
      commands: COMMANDS,
      locate,
      workspace,
      open,
      openToDecide,
      openReadOnly,
    });
    if (answer.exit !== undefined) finish(answer.exit);
    await showAnswer(io, options, answer);
    await answer.afterwards?.();
    if (opened !== null && !isReadOnly) updateLedgerMarker(opened);
  } catch (error) {
    const failure = opened === null ? error : await explainError(opened, error);
    const isShown = options.changed && !options.json && (await isShownBefore(locate().paths.root, failure));
    if (!isShown) throw failure;
    finish(describeFailure(failure).exit);
  } finally {
    if (opened !== null) await closeWorkspace(opened);
  }
}

async function showAnswer(io: Io, options: CommonOptions, answer: Answer): Promise<void> {
  const { document, list } = answer;
  if (options.json && list !== undefined) {
    for await (const piece of documentPieces(document(), list)) io.out(piece);
  } else if (options.json) io.out(`${JSON.stringify(document(), null, 2)}\n`);
  else if (!options.quiet) show(io, answer.text(io.screen?.columns() ?? null));
  if (answer.notes) io.err(answer.notes);
}

function accountOf({ env }: Io): string {
  try {
    return env.SUDO_USER ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** True for a failure that is what `run --changed` has shown last; any other is noted as shown. A bug is always shown. */
async function isShownBefore(root: string, error: unknown): Promise<boolean> {
  const { text, exit } = describeFailure(error);
  if (exit === 'bug') return false;
  if (!hasChanged(root, [text])) return true;
  // A disk on which nothing can be noted is what the failure is about.
  await saveLastShown(root, [text]).catch(() => undefined);
  return false;
}

/** An object as JSON, with a list as its last member, entry by entry: as one text it may not fit into memory. */
async function* documentPieces(document: unknown, { name, entries }: NonNullable<Answer['list']>) {
  yield `${JSON.stringify(document, null, 2).slice(0, -2)},\n  "${name}": [`;
  let separator = '';
  for await (const entry of entries()) {
    yield `${separator}\n    ${JSON.stringify(entry)}`;
    separator = ',';
  }
  yield `${separator === '' ? '' : '\n  '}]\n}\n`;
}
