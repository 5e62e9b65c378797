import { join, relative, resolve } from 'node:path';
import { carryOut, type InitPlan, plan } from '../actions/setup/init.js';
import type { SampleFindings } from '../actions/setup/render-config.js';
import { type SetupAnswers, USUAL_VARIABLES } from '../actions/setup/setup-answers.js';
import { newLedger } from '../actions/upkeep/new-ledger.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';
import { shellWord } from '../report/text/command-line.js';
import { askForSetup } from './ask-setup.js';
import { confirmText, verdictDocument, verdictText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { InitOptions } from './facts/init.js';
import type { Io } from './io.js';
import { answersOf, commandFor } from './setup-options.js';

/** Carries `registrar init` out. */
export async function answer(call: Call<InitOptions>): Promise<Answer> {
  const { options, io } = call;
  const folder = resolve(io.cwd, call.inputs[0] ?? options.workspace ?? '.');
  if (options.newLedger) return newLedgerAnswer(call, folder);
  const given = answersOf(options, io.cwd);
  const isAsked = io.dialogue !== undefined && !options.yes && !options.json && !options.quiet;
  const planned = isAsked
    ? await asked(io, folder, given)
    : await plan({ folder, answers: given, env: io.env });
  if (planned === null) return { document: () => null, text: () => 'Nothing was written.\n' };
  // From here on a signal no longer ends the process at once: the files are written together.
  void call.interrupt.signal;
  await carryOut(planned);
  return {
    document: () => ({
      config: planned.config,
      source: planned.source,
      timeZone: planned.timeZone,
      sample: planned.sample?.findings ?? null,
      check: planned.sample && verdictDocument(planned.sample.check),
    }),
    text: (columns) =>
      textOf(planned, {
        file: options.sample ?? planned.answers.sample ?? 'FILE',
        command: isAsked ? commandFor(folder, planned.answers) : null,
        env: io.env,
        columns,
      }),
  };
}

async function asked(io: Io, folder: string, given: SetupAnswers): Promise<InitPlan | null> {
  const dialogue = await io.dialogue?.();
  if (dialogue === undefined) return null;
  try {
    return await askForSetup(io, folder, given, dialogue);
  } finally {
    dialogue.close();
  }
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

interface Shown {
  /** The sample's path as the person wrote it, for the next command. */
  readonly file: string;
  /** What makes the same without a question; null where none was asked. */
  readonly command: string | null;
  readonly env: Io['env'];
  readonly columns: number | null;
}

function textOf(planned: InitPlan, { file, command, env, columns }: Shown): string {
  const { folder, config, source, sample } = planned;
  const findings = sample?.findings;
  const workspace = `--workspace ${shellWord(folder)}`;
  const check = `registrar check ${sample ? shellWord(file) : 'FILE'} --source ${source} ${workspace}`;
  const steps = [
    ...missingSteps(findings, check),
    ...openSteps(planned),
    ...(sample?.check.isClean ? [] : [`try a file without sending anything: ${check}`]),
    ...variableSteps(planned.answers, env),
    `put files into ${join(folder, 'inbox', source)} and: registrar run ${workspace}`,
  ];
  const lines = [
    `Wrote ${config}.`,
    ...(findings?.columns ?? []).map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    'Now:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
    ...(command === null ? [] : ['The same without questions:', `  ${command}`, '']),
    ...(sample ? [verdictText(sample.findings.fileName, sample.check, planned.guesses, columns)] : []),
  ];
  return lines.join('\n');
}

/** What registrar.yaml has as a placeholder or as a guess. */
function openSteps({ answers: { baseUrl }, guesses }: InitPlan): string[] {
  const steps = [
    ...(baseUrl === undefined ? [`put the addresses of your platform into ${CONFIG_FILE}`] : []),
    ...(guesses.length === 0 ? [] : [confirmText(guesses)]),
  ];
  return steps.length === 0 ? [] : [steps.join(', and ')];
}

function variableSteps({ clientIdEnv, clientSecretEnv }: SetupAnswers, env: Io['env']): string[] {
  const names = [
    clientIdEnv ?? USUAL_VARIABLES.clientIdEnv,
    clientSecretEnv ?? USUAL_VARIABLES.clientSecretEnv,
  ].filter((name) => env[name] === undefined);
  return names.length === 0 ? [] : [`set ${names.join(' and ')} in the environment`];
}

/** Steps for what the sample lacks; the words of `check` say what to write. */
function missingSteps(sample: SampleFindings | undefined, check: string): string[] {
  if (sample === undefined || sample.missing.length === 0) return [];
  const fields = sample.missing.map(({ field }) => field).join(', ');
  return [
    `No column gives ${fields}. Add the setting below to ${CONFIG_FILE}; nothing can be delivered without it. Then ${check}`,
  ];
}
