import type { ActionContext, LocatedWorkspace, Workspace } from '../actions/context.js';
import type { CredentialsNeed } from '../config/env-references.js';
import type { Decider } from '../domain/decider.js';
import type { ExitName } from '../domain/operator-error.js';
import type { Io } from './io.js';
import type { Logger } from './logger.js';
import type { OptionsOf, Words } from './options-of.js';

export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. Until a command reads this member, a signal ends the process at once. */
  readonly signal: AbortSignal;
  /** Calls back at each SIGHUP of a process without a terminal; otherwise SIGHUP ends the process. */
  onReload(listener: () => void): void;
  /** From now on the process itself writes to the log, not as plain text to stderr: that it stops, and Node's warnings. */
  logTo(logger: Pick<Logger, 'info' | 'warn'>): void;
}

/** Says how the process should end. Of several calls the one that is first in the order of exit codes counts. */
export type Finish = (exit: ExitName) => void;

export type Facts = Readonly<Record<string, CommandAbout>>;

/** A command as data, without loading its code. */
export interface CommandAbout {
  readonly description: string;
  /** The words after the name, in their order: `<file>` where one is required, `[file]` where it is optional. */
  readonly inputs?: Words;
  /** `--limit <n>`, `--dry-run`, `--row <id...>`, `--no-push`. Shells complete by the word in brackets: `file` and `dir` are paths. */
  readonly options?: Words;
  /** True for a service: unless stderr is a terminal, all of it is lines of the log, a failing start included. */
  readonly isLogged?: boolean;
  /** Command lines for the most common uses, shown by help. */
  readonly examples: readonly [string, string, ...string[]];
}

/** A command of the command line as data: dispatch, help, completion and the reference all read the table of commands. */
export interface Command extends CommandAbout {
  readonly name: string;
  readonly group: string;
  load(): Promise<CommandCode>;
}

export interface CommandCode {
  answer(call: Call): Promise<Answer>;
}

export interface Call<Own extends CommandAbout = CommandAbout> {
  readonly io: Io;
  /** The words after the command's name; undefined where an optional word was left out. */
  readonly inputs: readonly (string | undefined)[];
  readonly options: OptionsOf<Own>;
  readonly interrupt: Interrupt;
  readonly who: Decider;
  /** All commands, in the order in which help shows them. */
  readonly commands: readonly Command[];
  /** Finds the workspace without its configuration. @param folder undefined: the folder that the options name. */
  locate(folder?: string): LocatedWorkspace;
  /** Reads the configuration; writes nothing. Warnings go to stderr. */
  workspace(credentials?: CredentialsNeed): Workspace;
  /** Opens the workspace, which stays open until the answer is shown. */
  open(): Promise<ActionContext>;
  /**
   * Opens the workspace for a command that decides. Decisions that dead processes have left are carried out first, and
   * reported on stderr, so that the plan is what is done. A dry run changes nothing, where there is a ledger.
   */
  openToDecide(how: { readonly dryRun: boolean }): Promise<ActionContext>;
  /** Opens the workspace read-only; null if it has never had a ledger. */
  openReadOnly(credentials?: CredentialsNeed): Promise<ActionContext | null>;
}

export interface Answer {
  /** `--json`: one document. */
  document(): unknown;
  readonly list?: { readonly name: string; entries(): AsyncIterable<unknown> };
  /** For people; not shown with --quiet. @param columns how wide a table may be; null: any width. */
  text(columns: number | null): string;
  /** Warnings of every command; printed on stderr after the answer. */
  readonly notes?: string;
  /** How the process ends; absent: done. */
  readonly exit?: ExitName;
  /** Work that continues after the answer was shown, until it is interrupted. */
  afterwards?(): Promise<void>;
}
