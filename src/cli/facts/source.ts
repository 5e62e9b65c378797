import { OPERATIONS } from '../../operations/registry.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar source`. */
export interface SourceOptions extends CommonOptions {
  readonly sample: string;
  readonly operation: string;
  readonly environment?: string;
  readonly dryRun?: boolean;
}

/** `registrar source add`: one more source, written from a sample into the registrar.yaml there is. */
export const sourceFacts: CommandFacts = {
  name: 'source',
  description: 'add a source to registrar.yaml, as a sample of its files shows, and make its inbox',
  inputs: [
    { name: '<action>', description: 'what to do', choices: ['add'] },
    { name: '<name>', description: 'the name of the new source, also of its folder in inbox/' },
  ],
  options: [
    {
      flags: '--sample <file>',
      description: 'a real export, whose columns are mapped and commented',
      isRequired: true,
    },
    {
      flags: '--operation <name>',
      description: 'what each record does on the platform',
      choices: OPERATIONS.map(({ name }) => name),
      default: 'submit-completion',
    },
    {
      flags: '--environment <name>',
      description: 'where its records go; else the only environment there is',
    },
    { flags: '--dry-run', description: 'only show what would be written' },
  ],
  examples: [
    'registrar source add campus --sample ~/Downloads/campus.xlsx',
    'registrar source add groups --sample groups.csv --operation create-group --dry-run',
  ],
};
