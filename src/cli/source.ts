import { join, resolve } from 'node:path';
import { carryOut, plan, type SourcePlan } from '../actions/source.js';
import { agreeing } from '../domain/count-of.js';
import { visibleText } from '../domain/visible-text.js';
import { OPERATIONS } from '../operations/registry.js';
import { shellWord } from '../report/shell-word.js';
import { verdictDocument, verdictText } from './check-words.js';
import type { Command } from './command.js';
import type { CommonOptions } from './io.js';

interface SourceOptions extends CommonOptions {
  readonly sample: string;
  readonly operation: string;
  readonly environment?: string;
  readonly dryRun?: boolean;
}

/** `registrar source add`: one more source, written from a sample into the registrar.yaml there is. */
export const sourceCommand: Command<SourceOptions> = {
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
      description: 'what its records ask the platform to do',
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
  async run({ inputs: [, name = ''], options, io, workspace }) {
    const { operation, environment } = options;
    const request = { name, sample: resolve(io.cwd, options.sample), operation, environment, env: io.env };
    const planned = await plan(workspace('unused'), request);
    const isDryRun = options.dryRun === true;
    if (!isDryRun) await carryOut(planned);
    const { config, lines, sample, check } = planned;
    return {
      document: () => ({
        config,
        source: name,
        operation,
        environment: planned.environment,
        dryRun: isDryRun,
        lines,
        sample,
        check: verdictDocument(check),
      }),
      text: (columns) => {
        const verdict = verdictText(sample.fileName, check, columns);
        return isDryRun
          ? [`Would add to ${config}:`, ...lines, '', verdict].join('\n')
          : [...addedLines(planned, options.sample), verdict].join('\n');
      },
    };
  },
};

/** @param file the sample as it was named, for a command to be given next. */
function addedLines({ name, config, root, sample }: SourcePlan, file: string): string[] {
  const missing = sample.missing.map(({ field }) => field);
  const next = `registrar check ${shellWord(file)} --source ${name} --workspace ${shellWord(root)}`;
  return [
    `Added source ${name} to ${config}, and made ${join(root, 'inbox', name)}.`,
    ...sample.columns.map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    ...(missing.length === 0
      ? []
      : [
          `${missing.join(', ')} ${agreeing(missing.length, 'has', 'have')} no column: write what is said below; then ${next}`,
        ]),
  ];
}
