import { join, resolve } from 'node:path';
import { carryOut, plan, type SourcePlan } from '../actions/setup/source.js';
import { visibleText } from '../domain/text/visible-text.js';
import { shellWord } from '../report/text/command-line.js';
import { confirmText, verdictDocument, verdictText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { setUp } from './facts/set-up.js';

/** Carries `registrar source` out. */
export async function answer({
  inputs: [, name = ''],
  options,
  io,
  workspace,
}: Call<typeof setUp.source>): Promise<Answer> {
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
      const verdict = verdictText(sample.fileName, check, planned.guesses, columns);
      return isDryRun
        ? [`Would add to ${config}:`, ...lines, '', verdict].join('\n')
        : [...addedLines(planned, options.sample), verdict].join('\n');
    },
  };
}

/** @param file the sample's path as the person wrote it, for the next command. */
function addedLines({ name, config, root, sample, guesses }: SourcePlan, file: string): string[] {
  const missing = sample.missing.map(({ field }) => field);
  const next = `registrar check ${shellWord(file)} --source ${name} --workspace ${shellWord(root)}`;
  return [
    `Added source ${name} to ${config}, and made ${join(root, 'inbox', name)}.`,
    ...sample.columns.map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    ...(guesses.length === 0 ? [] : [`Now ${confirmText(guesses)}.`]),
    ...(missing.length === 0
      ? []
      : [`No column gives ${missing.join(', ')}. Add the setting below. Then ${next}`]),
  ];
}
