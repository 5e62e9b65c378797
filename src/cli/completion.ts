import type { Answer, Call } from './command.js';
import { bashScript } from './completion/bash.js';
import { fishScript } from './completion/fish.js';
import { type ShellCommand, shellCommand } from './completion/shell-command.js';
import { zshScript } from './completion/zsh.js';
import type { Shell } from './facts/completion.js';

const SCRIPTS: Readonly<Record<string, ScriptOf>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} satisfies Record<Shell, ScriptOf>;

/** A script that completes the command lines of these commands. */
type ScriptOf = (commands: readonly ShellCommand[]) => string;

/** Carries `registrar completion` out. */
export async function answer({ inputs: [what = ''], workspace, commands }: Call): Promise<Answer> {
  const scriptOf = SCRIPTS[what];
  if (scriptOf !== undefined) {
    const script = scriptOf(commands.map(shellCommand));
    return { document: () => ({ script, names: null }), text: () => script };
  }
  const { sources, environments } = workspace('unused').config;
  const names = what === 'sources' ? sources.map(({ name }) => name) : Object.keys(environments);
  return {
    document: () => ({ script: null, names }),
    text: () => names.map((name) => `${name}\n`).join(''),
  };
}
