import type { Command } from './command.js';
import { bashScript } from './completion/bash.js';
import { fishScript } from './completion/fish.js';
import { type ShellCommand, shellCommand } from './completion/shell-command.js';
import { zshScript } from './completion/zsh.js';

const SCRIPTS: Readonly<Record<string, (commands: readonly ShellCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `registrar completion`: a script for a shell, or the names that such a script asks for. */
export const completionCommand: Command = {
  name: 'completion',
  description:
    'print a script that completes command lines in a shell; or the names in registrar.yaml, which it asks for',
  inputs: [{ name: '<what>', choices: [...Object.keys(SCRIPTS), 'sources', 'environments'] }],
  examples: ['registrar completion bash', 'registrar completion sources --workspace /srv/registrar'],
  async run({ inputs: [what = ''], workspace, commands }) {
    const scriptOf = SCRIPTS[what];
    if (scriptOf !== undefined) {
      const script = scriptOf((await commands()).map(shellCommand));
      return { document: () => ({ script, names: null }), text: () => script };
    }
    const { sources, environments } = workspace('unused').config;
    const names = what === 'sources' ? sources.map(({ name }) => name) : Object.keys(environments);
    return {
      document: () => ({ script: null, names }),
      text: () => names.map((name) => `${name}\n`).join(''),
    };
  },
};
