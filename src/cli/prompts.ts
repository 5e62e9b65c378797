import confirm from '@inquirer/confirm';
import {
  AbortPromptError,
  createPrompt,
  ExitPromptError,
  isEnterKey,
  isTabKey,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import password from '@inquirer/password';
import select from '@inquirer/select';
import { OperatorError } from '../domain/operator-error.js';
import { columnsOf, fitText } from './screen.js';

/** Throws OperatorError where Ctrl-C or the end of the input comes instead of an answer. */
export type Prompts = ReturnType<typeof openPrompts>;

interface LineQuestion {
  readonly message: string;
  /** The answer of an empty line. */
  readonly initial: string;
  /** What is wrong with an answer, as a sentence; null: nothing. The prompt is repeated. */
  mistakeIn(text: string): Promise<string | null>;
}

interface Choice {
  readonly value: string;
  readonly name: string;
}

const SHOWN_CHOICES = 15;

/** @param hint what to do where the dialogue ends early. */
export function openPrompts(hint: string) {
  const untilInputEnds = async <T>(
    ask: (context: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    // The library would wait for ever after the end of the input.
    const ended = new AbortController();
    const onKey = (_: unknown, { ctrl, name }: { ctrl?: boolean; name?: string } = {}) => {
      if (ctrl && name === 'd') ended.abort();
    };
    process.stdin.on('keypress', onKey);
    try {
      return await ask(ended);
    } catch (error) {
      throw error instanceof ExitPromptError || error instanceof AbortPromptError
        ? brokenOff(error instanceof ExitPromptError, hint)
        : error;
    } finally {
      process.stdin.off('keypress', onKey);
    }
  };
  return {
    text: (question: LineQuestion) => untilInputEnds((context) => linePrompt(question, context)),
    /** Where `initial` is none of the choices, none is proposed. */
    choice: (message: string, choices: readonly Choice[], initial: string | null) => {
      const proposed = choices.find(({ value }) => value === initial);
      const first = { value: '', name: 'choose one', disabled: ' ' };
      const theme = { i18n: { disabledError: 'Choose one.' } };
      const config = {
        message,
        choices: [...(proposed ? [] : [first]), ...choices],
        pageSize: SHOWN_CHOICES,
      };
      return untilInputEnds((context) =>
        select({ ...config, theme, loop: false, ...(proposed ? { default: proposed.value } : {}) }, context),
      );
    },
    secret: (message: string) =>
      untilInputEnds((context) => password({ message, toggleMask: false }, context)),
    isYes: (message: string) => untilInputEnds((context) => confirm({ message }, context)),
  };
}

const linePrompt = createPrompt<string, LineQuestion>(({ message, initial, mistakeIn }, done) => {
  const [status, setStatus] = useState<'idle' | 'loading' | 'done'>('idle');
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState('');
  const { style } = makeTheme();
  const prefix = usePrefix({ status });
  useKeypress(async (key, lines) => {
    if (status !== 'idle') return;
    if (isEnterKey(key)) {
      setStatus('loading');
      const answer = typed.trim() || initial;
      const newMistake = await mistakeIn(answer);
      setStatus(newMistake === null ? 'done' : 'idle');
      setMistake(newMistake ?? '');
      if (newMistake === null) return done(answer);
      lines.write(typed);
    } else {
      if (isTabKey(key)) {
        lines.clearLine(0);
        lines.write(typed);
      }
      setTyped(lines.line);
      setMistake('');
    }
  });
  const shown = status === 'done' ? style.answer(typed.trim() || initial) : typed;
  return [
    `${prefix} ${style.message(message, status)} ${shown}`,
    mistake && style.error(fitText(mistake, columnsOf(process.stdout) - 4)),
  ];
});

function brokenOff(isInterrupted: boolean, hint: string): OperatorError {
  return new OperatorError({
    operation: 'prompt on the terminal',
    subject: 'terminal',
    message: `${isInterrupted ? 'interrupted' : 'the input ended'} before the last question was answered; nothing was written`,
    hint,
    exit: isInterrupted ? 'interrupted' : 'usage',
  });
}
