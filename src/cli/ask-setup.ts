import { type InitPlan, plan, requireNew } from '../actions/setup/init.js';
import { nextQuestion, type Question } from '../actions/setup/questions.js';
import type { SetupAnswers } from '../actions/setup/setup-answers.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/text/visible-text.js';
import { cutLine } from '../report/text/layout.js';
import type { Dialogue } from './dialogue.js';
import { type Io, show } from './io.js';

/**
 * Asks what the options leave open, shows the registrar.yaml that comes of it, and asks whether to write it; writes nothing.
 * null: the person doesn't want it. Throws OperatorError where the dialogue ends before.
 */
export async function askForSetup(
  io: Io,
  folder: string,
  given: SetupAnswers,
  dialogue: Dialogue,
): Promise<InitPlan | null> {
  requireNew(folder);
  show(
    io,
    `A new workspace in ${folder}. Press Enter to accept the value in brackets. Ctrl-C quits without writing anything.\n`,
  );
  let answers = given;
  for (;;) {
    const question = await nextQuestion(answers, io);
    if (question === null) break;
    answers = await answered(io, question, dialogue);
  }
  const planned = await plan({ folder, answers, env: io.env });
  show(io, `\n${planned.config} will be:\n\n${planned.yaml}\n`);
  for (;;) {
    const text = (await lineOf(dialogue, 'Write it? [yes]: ', false)).toLowerCase();
    if (['', 'y', 'yes'].includes(text)) return planned;
    if (['n', 'no'].includes(text)) return null;
    show(io, 'Write yes or no.\n');
  }
}

/** Shows a question until its answer can be used. */
async function answered(io: Io, question: Question, dialogue: Dialogue): Promise<SetupAnswers> {
  const { about, choices, initial } = question;
  const numbered = choices.map(({ label }, index) =>
    cutLine(`  ${String(index + 1).padStart(String(choices.length).length)}  ${visibleText(label)}`),
  );
  show(io, ['', ...about.map(visibleText), ...numbered, ''].join('\n'));
  const proposal = initial === null ? '' : ` [${visibleText(question.initialLabel ?? initial)}]`;
  const prompt = `${question.prompt}${choices.length > 0 ? ' (number)' : ''}${proposal}: `;
  for (;;) {
    const text = await lineOf(dialogue, prompt, question.isPath === true);
    const answer = text === '' ? initial : (choices[numberIn(text) - 1]?.answer ?? text);
    if (answer === null) {
      show(io, choices.length > 0 ? 'Choose one.\n' : 'Enter a value.\n');
      continue;
    }
    const taken = await question.take(answer);
    if ('answers' in taken) return taken.answers;
    show(io, `${visibleText(`${taken.mistake.charAt(0).toUpperCase()}${taken.mistake.slice(1)}`)}\n`);
  }
}

function numberIn(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

async function lineOf(dialogue: Dialogue, prompt: string, isPath: boolean): Promise<string> {
  const line = await dialogue.line(prompt, isPath);
  if (typeof line !== 'string') return line.text;
  throw new OperatorError({
    operation: 'ask for what a workspace needs',
    subject: CONFIG_FILE,
    message: `${line === 'interrupted' ? 'interrupted' : 'the input ended'} before the last question was answered; nothing was written`,
    hint: 'Begin again, or give the answers as options: registrar init --help.',
    exit: line === 'interrupted' ? 'interrupted' : 'usage',
  });
}
