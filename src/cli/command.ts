import type { ActionContext, LocatedWorkspace, Workspace } from '../actions/context.js';
import type { CredentialsNeed } from '../config/env-references.js';
import type { Decider } from '../domain/decider.js';
import type { ExitName } from '../domain/operator-error.js';
import type { CommonOptions, Io } from './io.js';

/** The process's way of being asked to stop. */
export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. Until a command asks for it, a signal ends the process at once. */
  readonly signal: AbortSignal;
}

/** Says how the process should end; of several calls the first in the order of exit codes counts. */
export type Finish = (exit: ExitName) => void;

/** What there is to know of a command without its code. */
export interface CommandFacts {
  readonly name: string;
  readonly description: string;
  /** In their order. */
  readonly inputs?: readonly Input[];
  readonly options?: readonly CommandOption[];
  /** Command lines of what people mostly want, shown by help. */
  readonly examples: readonly [string, string, ...string[]];
}

/** A command of the command line, as data: the table of them drives dispatch, help, completion and the reference. */
export interface Command extends CommandFacts {
  /** Loads what carries it out: help, completion and every other command do without. */
  load(): Promise<CommandCode>;
}

/** The module of a command. */
export interface CommandCode {
  /** Parses what is left to be parsed, calls one action, and says what to show. */
  answer(call: Call): Promise<Answer>;
}

/** A word after the command's name. */
export interface Input {
  /** `<file>` where it is needed, `[file]` where not. */
  readonly name: string;
  readonly description?: string;
  readonly choices?: readonly string[];
}

/** An option as help shows it. */
export interface CommandOption {
  /**
   * `--limit <n>`, `--dry-run`, `--row <id...>`, `--no-push`. Shells complete by the word in brackets: `file` and `dir` are
   * paths, `source` is a source; and by the names `--source` and `--environment`.
   */
  readonly flags: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /**
   * Reads one value; throws OperatorError for a wrong one.
   * @param before what the same option gave so far, of one that may be repeated.
   */
  parse?(text: string, before: never): unknown;
}

/** One call of a command. */
export interface Call<Options extends CommonOptions = CommonOptions> {
  readonly io: Io;
  /** The words after the command's name; undefined where one that isn't needed was left out. */
  readonly inputs: readonly (string | undefined)[];
  readonly options: Options;
  readonly interrupt: Interrupt;
  /** Whoever gave the command, for the record of what is decided. */
  readonly who: Decider;
  /** All commands, in the order in which help shows them. */
  readonly commands: readonly CommandFacts[];
  /**
   * Where the workspace is; its configuration isn't read, so it may be a wrong one.
   * @param folder undefined: as the options say.
   */
  locate(folder?: string): LocatedWorkspace;
  /** Reads the configuration; writes nothing. Warnings go to stderr. */
  workspace(credentials?: CredentialsNeed): Workspace;
  /** The open workspace; it stays open until the answer is shown. */
  open(): Promise<ActionContext>;
  /**
   * The same for a command that decides: what processes that died have left of their decisions is carried out first, and
   * told on stderr, so that what is planned is what is done. A dry run changes nothing, where there is a ledger.
   */
  openToDecide(how: { readonly dryRun: boolean }): Promise<ActionContext>;
  /** The same without the right to change anything; null where there has never been a ledger. */
  openToRead(credentials?: CredentialsNeed): Promise<ActionContext | null>;
}

/** What a command has to show. */
export interface Answer {
  /** `--json`: one document. */
  document(): unknown;
  /** Of a document too long for one text: its last member, written entry by entry. */
  readonly list?: { readonly name: string; entries(): AsyncIterable<unknown> };
  /**
   * The text for people, who don't see it with --quiet.
   * @param columns how wide a table may be; null: nobody wraps what is wider.
   */
  text(columns: number | null): string;
  /** What people must know whatever they asked to see: on stderr, after the answer. */
  readonly notes?: string;
  /** How the process ends; left out: done. */
  readonly exit?: ExitName;
  /** What goes on after the answer was shown, until it is interrupted. */
  afterwards?(): Promise<void>;
}
