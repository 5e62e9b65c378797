import { join, resolve } from 'node:path';
import { testSource } from '../actions/inboxes/check-places.js';
import { carryOut, plan, type SourcePlan } from '../actions/setup/source.js';
import { worstExit } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';
import { shellWord } from '../report/text/command-line.js';
import { confirmText, missingColumns, verdictDocument, verdictText } from './check-words.js';
import type { Answer, Call } from './command.js';
import { findingLine } from './describe-failure.js';
import type { setUp } from './facts.js';
import { requireInput, usageError } from './usage-error.js';

export async function answer(call: Call<typeof setUp.source>): Promise<Answer> {
  return call.inputs[0] === 'test' ? test(call) : add(call);
}

async function test({ inputs: [, name = ''], options, workspace, interrupt }: Call<typeof setUp.source>) {
  if (options.sample !== undefined) {
    throw usageError('--sample', 'source test reads no sample', 'Leave --sample out.');
  }
  const findings = await testSource(workspace(), name, interrupt.signal);
  return {
    document: () => ({
      source: name,
      checks: findings.map(({ check: _, exit: _exit, ...shown }) => shown),
    }),
    text: () => findings.map(findingLine).join(''),
    exit: worstExit(findings.flatMap(({ verdict, exit }) => (verdict === 'broken' ? exit : []))),
  };
}

async function add({ inputs: [, name = ''], options, io, workspace }: Call<typeof setUp.source>) {
  const { operation, environment } = options;
  const sample = requireInput(options.sample, '--sample', `registrar source add ${name} --sample FILE`);
  const request = { name, sample: resolve(io.cwd, sample), operation, environment, env: io.env };
  const planned = await plan(workspace('unused'), request);
  const isDryRun = options.dryRun === true;
  if (!isDryRun) await carryOut(planned);
  const { config, lines, sample: findings, check } = planned;
  return {
    document: () => ({
      config,
      source: name,
      operation,
      environment: planned.environment,
      dryRun: isDryRun,
      lines,
      sample: findings,
      check: verdictDocument(check),
    }),
    text: (columns: number | null) => {
      const verdict = verdictText(findings.fileName, check, columns);
      return isDryRun
        ? [`Would add to ${config}:`, ...lines, '', verdict].join('\n')
        : [...addedLines(planned, sample), verdict].join('\n');
    },
  };
}

/** @param file the sample's path as the person wrote it, for the next command. */
function addedLines({ name, config, root, sample, guesses }: SourcePlan, file: string): string[] {
  const next = `registrar check ${shellWord(file)} --source ${name} --workspace ${shellWord(root)}`;
  return [
    `Added source ${name} to ${config}, and made ${join(root, 'inbox', name)}.`,
    ...sample.columns.map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    ...(guesses.length === 0 ? [] : [`Now ${confirmText(guesses)}.`]),
    ...missingColumns(sample, next),
  ];
}
