import type { CommandFacts, CommandOption, Input } from '../command.js';
import { COMMON_OPTIONS } from '../common-options.js';

/** What a word of a command line can be; `text` where any text is possible. */
export type Expected =
  | 'file'
  | 'folder'
  | 'source'
  | 'environment'
  | 'text'
  | { readonly oneOf: readonly string[] };

/** An option as a shell completes it. */
export interface ShellOption {
  /** `--sample`. */
  readonly name: string;
  readonly description: string;
  /** The value that follows the option; null: none. */
  readonly value: Expected | null;
  /** Several values may follow it. */
  readonly isMany: boolean;
}

/** A command as a shell completes it. */
export interface ShellCommand {
  readonly name: string;
  readonly description: string;
  /** What the words after the command's name are, in their order. */
  readonly inputs: readonly Expected[];
  /** The command's own options. */
  readonly options: readonly ShellOption[];
}

/** Options that each command has, and that may stand before the command too. */
export const SHELL_OPTIONS: readonly ShellOption[] = [
  ...COMMON_OPTIONS.map(shellOption),
  { name: '--help', description: 'how to use it', value: null, isMany: false },
];

/** The facts that a shell needs about a command. */
export function shellCommand({ name, description, inputs = [], options = [] }: CommandFacts): ShellCommand {
  return { name, description, inputs: inputs.map(inputExpected), options: options.map(shellOption) };
}

function inputExpected({ name, choices }: Input): Expected {
  return choices === undefined ? expectedOf(placeholderOf(name) ?? '') : { oneOf: choices };
}

function shellOption({ flags, description, choices }: CommandOption): ShellOption {
  const name = /--[\w-]+/.exec(flags)?.[0] ?? flags;
  const placeholder = placeholderOf(flags);
  const value =
    placeholder === null ? null : choices === undefined ? expectedOf(placeholder, name) : { oneOf: choices };
  return { name, description, value, isMany: /\.\.\.[>\]]/.test(flags) };
}

/** The word in the brackets of an option; null where it has none. */
function placeholderOf(flags: string): string | null {
  return /[<[]([\w/-]+)/.exec(flags)?.[1] ?? null;
}

/** What a placeholder stands for; all commands use the same words. */
function expectedOf(placeholder: string, option = ''): Expected {
  if (placeholder === 'file') return 'file';
  if (placeholder === 'dir') return 'folder';
  if (placeholder === 'source' || option === '--source') return 'source';
  return option === '--environment' ? 'environment' : 'text';
}
