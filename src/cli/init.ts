import { join, relative, resolve } from 'node:path';
import {
  carryOut,
  type InitPlan,
  type PlatformTest,
  plan,
  requireNew,
  testPlatform,
} from '../actions/setup/init.js';
import { nextQuestion, type Question } from '../actions/setup/questions.js';
import { type SetupAnswers, TEXT_ANSWERS, variablesOf } from '../actions/setup/setup-answers.js';
import { newLedger } from '../actions/upkeep/new-ledger.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { withHint } from '../domain/operator-error.js';
import { capitalized } from '../domain/text/count-of.js';
import { visibleText } from '../domain/text/visible-text.js';
import { shellWord } from '../report/text/command-line.js';
import { CUT_LINE, clip } from '../report/text/layout.js';
import { confirmText, missingColumns, verdictDocument, verdictText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { setUp } from './facts.js';
import { type Io, show } from './io.js';
import type { Prompts } from './prompts.js';

/** Prompts for what the options leave open, and shows the resulting registrar.yaml. null: the person declines. */
async function askForSetup(io: Io, folder: string, optionAnswers: SetupAnswers, prompts: Prompts) {
  requireNew(folder);
  show(
    io,
    `A new workspace in ${folder}. Press Enter to accept the value in brackets. Ctrl-C quits without writing anything.\n`,
  );
  let answers = optionAnswers;
  for (;;) {
    const question = await nextQuestion(answers, io);
    if (question === null) break;
    answers = await answered(io, question, prompts);
  }
  const planned = await plan({ folder, answers, env: io.env });
  show(io, `\n${planned.config} will be:\n\n${planned.yaml}\n`);
  return (await prompts.isYes('Write it?')) ? planned : null;
}

/** Repeats the question until its answer can be used. */
async function answered(io: Io, question: Question, prompts: Prompts): Promise<SetupAnswers> {
  const { about, choices, initial, prompt } = question;
  show(io, about === undefined ? '\n' : `\n${visibleText(about)}\n`);
  const menu = choices?.map(({ answer, label }) => ({
    value: answer,
    name: clip(visibleText(label), CUT_LINE),
  }));
  const message = `${prompt}${initial ? ` [${visibleText(initial)}]` : ''}:`;
  for (;;) {
    const typed = await (menu ? prompts.choice(prompt, menu, initial) : prompts.text(message));
    const text = typed.trim() || (initial ?? '');
    const reply = text === '' && initial === null ? { mistake: 'Enter a value.' } : await question.take(text);
    if ('answers' in reply) return reply.answers;
    show(io, `${visibleText(capitalized(reply.mistake))}\n`);
  }
}

export async function answer(call: Call<typeof setUp.init>): Promise<Answer> {
  const { options, io } = call;
  const folder = resolve(io.cwd, call.inputs[0] ?? options.workspace ?? '.');
  if (options.newLedger) return newLedgerAnswer(call, folder);
  const answers = answersOf(options, io.cwd);
  const asks = options.yes || options.json || options.quiet ? undefined : io.prompts;
  const planned =
    asks === undefined
      ? await plan({ folder, answers, env: io.env })
      : await askForSetup(io, folder, answers, await asks(NO_TERMINAL_HINT));
  if (planned === null) return { document: () => null, text: () => 'Nothing was written.\n' };
  // From here on a signal no longer ends the process at once: the files are written together.
  const { signal } = call.interrupt;
  await carryOut(planned);
  const test = await testPlatform(planned, io.env, signal);
  return {
    document: () => ({
      config: planned.config,
      source: planned.source,
      sample: planned.sample?.findings ?? null,
      check: planned.sample && verdictDocument(planned.sample.check),
      guesses: planned.guesses,
      platform: {
        skipped: 'skipped' in test ? test.skipped : null,
        checks: 'skipped' in test ? [] : test.findings.map(({ exit: _, ...shown }) => shown),
      },
    }),
    text: (columns) =>
      textOf(planned, options.sample ?? planned.answers.sample ?? 'FILE', test, io.env, columns),
  };
}

function answersOf(options: Call<typeof setUp.init>['options'], cwd: string): SetupAnswers {
  const texts = TEXT_ANSWERS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]));
  const sample = options.sample === undefined ? {} : { sample: resolve(cwd, options.sample) };
  return { ...Object.fromEntries(texts), ...sample, columns: {}, defaults: {} };
}

const NO_TERMINAL_HINT = 'Start again, or pass the answers as options: registrar init --help.';

async function newLedgerAnswer({ locate, who }: Call<typeof setUp.init>, folder: string): Promise<Answer> {
  const at = locate(folder);
  const { root, ledger } = at.paths;
  const aside = await newLedger(at, who);
  const asidePath = aside === null ? null : relative(root, aside);
  return {
    document: () => ({ ledger, aside: asidePath, holdsNewRows: true }),
    text: () =>
      [
        `Created an empty ledger, ${ledger}.`,
        ...(asidePath === null ? [] : [`The old ledger is ${asidePath}.`]),
        'Earlier deliveries are unknown. Imported rows that were completed before now are held, until registrar restore --finish --because TEXT.',
        '',
      ].join('\n'),
  };
}

/** @param file the sample's path as the person wrote it, for the next command. */
function textOf(
  planned: InitPlan,
  file: string,
  test: PlatformTest,
  env: Io['env'],
  columns: number | null,
): string {
  const { folder, config, source, sample, answers, guesses } = planned;
  const findings = sample?.findings;
  const workspace = `--workspace ${shellWord(folder)}`;
  const check = `registrar check ${sample ? shellWord(file) : 'FILE'} --source ${source} ${workspace}`;
  const open = [
    ...(answers.baseUrl === undefined ? [`put the addresses of your platform into ${CONFIG_FILE}`] : []),
    ...(guesses.length === 0 ? [] : [confirmText(guesses)]),
  ];
  const unset = variablesOf(answers).filter((name) => env[name] === undefined);
  const steps = [
    ...missingColumns(findings, check),
    ...(open.length === 0 ? [] : [open.join(', and ')]),
    ...(sample?.check.isClean ? [] : [`try a file without sending anything: ${check}`]),
    ...(unset.length === 0 ? [] : [`set ${unset.join(' and ')} in the environment`]),
    `put files into ${join(folder, 'inbox', source)}, then deliver them: registrar run ${workspace}`,
  ];
  const lines = [
    `Wrote ${config}.`,
    ...(findings?.columns ?? []).map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    ...testLines(test),
    '',
    'Now:',
    ...steps.map((step, index) => `  ${index + 1}. ${capitalized(step)}`),
    '',
    ...(sample ? [verdictText(sample.findings.fileName, sample.check, columns)] : []),
  ];
  return lines.join('\n');
}

function testLines(test: PlatformTest): string[] {
  if ('skipped' in test)
    return [`Address and credentials were not tested: ${test.skipped}. registrar doctor tests them.`];
  return test.findings
    .filter(({ check, verdict }) => check === 'token' || verdict !== 'ok')
    .map(({ subject, message, remedy }) => `${subject} ${withHint(message, remedy)}`);
}
