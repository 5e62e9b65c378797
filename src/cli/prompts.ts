import confirm from '@inquirer/confirm';
import { AbortPromptError, ExitPromptError } from '@inquirer/core';
import input from '@inquirer/input';
import password from '@inquirer/password';
import select from '@inquirer/select';
import { errorsOf, type OperatorError } from '../domain/operator-error.js';

/** Throws OperatorError where Ctrl-C or the end of the input comes instead of an answer. */
export type Prompts = ReturnType<typeof openPrompts>;

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
    // The library would wait forever at the end of the input.
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
    text: (message: string) => untilInputEnds((context) => input({ message }, context)),
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

function brokenOff(isInterrupted: boolean, hint: string): OperatorError {
  const message = `${isInterrupted ? 'interrupted' : 'the input ended'} before the last question was answered; nothing was written`;
  const exit = isInterrupted ? 'interrupted' : 'usage';
  return errorsOf('prompt on the terminal')('terminal', message, hint, { exit });
}
