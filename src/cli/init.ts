import { join, relative, resolve } from 'node:path';
import { carryOut, type InitPlan, plan } from '../actions/setup/init.js';
import type { SampleFindings } from '../actions/setup/render-config.js';
import { newLedger } from '../actions/upkeep/new-ledger.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { OperatorError } from '../domain/operator-error.js';
import { agreeing } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import { shellWord } from '../report/text/command-line.js';
import { verdictDocument, verdictText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { InitOptions } from './facts/init.js';

/** Carries `registrar init` out. */
export async function answer(call: Call<InitOptions>): Promise<Answer> {
  const { options, io } = call;
  const folder = resolve(io.cwd, call.inputs[0] ?? options.workspace ?? '.');
  if (options.newLedger) return newLedgerAnswer(call, folder);
  const sample = options.sample === undefined ? null : resolve(io.cwd, options.sample);
  const planned = await plan({ folder, sample, env: io.env });
  await carryOut(planned);
  return {
    document: () => ({
      config: planned.config,
      source: planned.source,
      timeZone: planned.timeZone,
      sample: planned.sample?.findings ?? null,
      check: planned.sample && verdictDocument(planned.sample.check),
    }),
    text: (columns) => textOf(planned, options.sample ?? 'FILE', columns),
  };
}

/** Makes an empty ledger for a workspace that has lost its own. */
async function newLedgerAnswer({ options, locate, who }: Call<InitOptions>, folder: string): Promise<Answer> {
  if (options.sample !== undefined) {
    throw new OperatorError({
      operation: 'read the options',
      subject: '--new-ledger',
      message: '--new-ledger makes a ledger in a workspace that is there, and --sample a workspace',
      hint: 'Leave one of the two out.',
    });
  }
  const at = locate(folder);
  const { root, ledger } = at.paths;
  const aside = await newLedger(at, who);
  const named = aside === null ? null : relative(root, aside);
  return {
    document: () => ({ ledger, aside: named, holdsNewRows: true }),
    text: () =>
      [
        `Made ${ledger}, which is empty.`,
        ...(named === null ? [] : [`What was there is ${named}.`]),
        'What was delivered before nobody knows: rows that were completed before now are held when they come in, until registrar restore --finish --because TEXT.',
        '',
      ].join('\n'),
  };
}

/** @param file the sample's path as the person wrote it, for the next command. */
function textOf(
  { folder, config, source, timeZone, sample }: InitPlan,
  file: string,
  columns: number | null,
): string {
  const findings = sample?.findings;
  const workspace = `--workspace ${shellWord(folder)}`;
  const check = `registrar check ${sample ? shellWord(file) : 'FILE'} --source ${source} ${workspace}`;
  const steps = [
    ...missingSteps(findings, check),
    `put the addresses of your platform into ${CONFIG_FILE}, and confirm the time zone (${timeZone})`,
    `try a file without sending anything: ${check}`,
    'set REGISTRAR_CLIENT_ID and REGISTRAR_CLIENT_SECRET in the environment',
    `put files into ${join(folder, 'inbox', source)} and: registrar run ${workspace}`,
  ];
  const lines = [
    `Wrote ${config}.`,
    ...(findings?.columns ?? []).map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    'Now:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
    ...(sample ? [verdictText(sample.findings.fileName, sample.check, columns)] : []),
  ];
  return lines.join('\n');
}

/** Steps for what the sample lacks; the words of `check` say what to write. */
function missingSteps(sample: SampleFindings | undefined, check: string): string[] {
  if (sample === undefined || sample.missing.length === 0) return [];
  const fields = sample.missing.map(({ field }) => field).join(', ');
  const has = agreeing(sample.missing.length, 'has', 'have');
  return [
    `${fields} ${has} no column: write into ${CONFIG_FILE} what is said below, without which no row is delivered; then ${check}`,
  ];
}
