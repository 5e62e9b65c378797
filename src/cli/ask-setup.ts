import { type InitPlan, plan, requireNew } from '../actions/setup/init.js';
import { nextQuestion, type Question } from '../actions/setup/questions.js';
import type { SetupAnswers } from '../actions/setup/setup-answers.js';
import { visibleText } from '../domain/text/visible-text.js';
import { cutLine } from '../report/text/layout.js';
import { type Io, show } from './io.js';
import type { Prompts } from './prompts.js';

/**
 * Prompts for what the options leave open, shows the resulting registrar.yaml, and confirms it; writes nothing. null: the
 * person declines. Throws OperatorError where the dialogue ends before.
 */
export async function askForSetup(
  io: Io,
  folder: string,
  given: SetupAnswers,
  prompts: Prompts,
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
    answers = await answered(io, question, prompts);
  }
  const planned = await plan({ folder, answers, env: io.env });
  show(io, `\n${planned.config} will be:\n\n${planned.yaml}\n`);
  return (await prompts.isYes('Write it?')) ? planned : null;
}

async function answered(io: Io, question: Question, prompts: Prompts): Promise<SetupAnswers> {
  const { about, choices, initial, initialLabel = initial } = question;
  show(io, about === undefined ? '\n' : `\n${visibleText(about)}\n`);
  if (choices !== undefined) {
    const named = choices.map(({ answer, label }) => ({ value: answer, name: cutLine(visibleText(label)) }));
    const taken = await question.take(await prompts.choice(question.prompt, named, initial));
    if ('answers' in taken) return taken.answers;
    show(io, `${sentence(taken.mistake)}\n`);
    return answered(io, question, prompts);
  }
  let answers: SetupAnswers | null = null;
  await prompts.text({
    message: `${question.prompt}${initialLabel === null ? '' : ` [${visibleText(initialLabel)}]`}:`,
    initial: initial ?? '',
    mistakeIn: async (text) => {
      if (text === '' && initial === null) return 'Enter a value.';
      const taken = await question.take(text);
      if ('mistake' in taken) return sentence(taken.mistake);
      answers = taken.answers;
      return null;
    },
  });
  return answers ?? answered(io, question, prompts);
}

function sentence(mistake: string): string {
  return visibleText(`${mistake.charAt(0).toUpperCase()}${mistake.slice(1)}`);
}
