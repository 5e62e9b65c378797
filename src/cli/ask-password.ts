import { passwordMistake } from '../actions/access/users.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Dialogue } from './dialogue.js';
import type { UserOptions } from './facts/user.js';
import { type Io, inputOf, show } from './io.js';

/** A new password for this name: from standard input, or asked for twice on the terminal, which doesn't show it. */
export async function askPassword(io: Io, options: UserOptions, name: string): Promise<string> {
  if (options.passwordStdin) return fromInput(io, name);
  const isAsked = io.dialogue !== undefined && !options.json && !options.quiet;
  const dialogue = isAsked ? await io.dialogue?.() : undefined;
  if (dialogue === undefined) {
    throw refused(
      'there is no password: nobody can be asked for it here',
      'Give it on standard input with --password-stdin.',
    );
  }
  try {
    return await asked(io, dialogue, name);
  } finally {
    dialogue.close();
  }
}

function fromInput(io: Io, name: string): string {
  const password = inputOf(io).replace(/\r?\n$/, '');
  const mistake = passwordMistake(password, name);
  if (mistake === null) return password;
  throw refused(`the password ${mistake}`, 'Give another one, alone on one line.');
}

async function asked(io: Io, dialogue: Dialogue, name: string): Promise<string> {
  for (;;) {
    const password = await secretOf(dialogue, `Password of ${name} (it isn't shown): `);
    const mistake = passwordMistake(password, name);
    if (mistake !== null) {
      show(io, `The password ${mistake}. Choose another.\n`);
      continue;
    }
    if ((await secretOf(dialogue, 'The same again: ')) === password) return password;
    show(io, 'The two differ. Begin again.\n');
  }
}

async function secretOf(dialogue: Dialogue, prompt: string): Promise<string> {
  const line = await dialogue.secret(prompt);
  if (typeof line !== 'string') return line.text;
  if (line === 'shown') {
    throw refused(
      'this terminal would show the password',
      'Give it on standard input with --password-stdin.',
    );
  }
  throw new OperatorError({
    operation: 'ask for a password',
    subject: 'password',
    message: `${line === 'interrupted' ? 'interrupted' : 'the input ended'} before there was a password; nothing was written`,
    hint: 'Begin again, or give it on standard input with --password-stdin.',
    exit: line === 'interrupted' ? 'interrupted' : 'usage',
  });
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'ask for a password', subject: 'password', message, hint });
}
