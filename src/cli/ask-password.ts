import { passwordMistake } from '../actions/access/users.js';
import type { OperatorError } from '../domain/operator-error.js';
import type { serve } from './facts/serve.js';
import { type Io, inputOf, show } from './io.js';
import type { OptionsOf } from './options-of.js';
import { wrongUse } from './wrong-use.js';

/** A new password for this name: from standard input, or entered twice on the terminal, which doesn't show it. */
export async function askPassword(
  io: Io,
  options: OptionsOf<typeof serve.user>,
  name: string,
): Promise<string> {
  if (options.passwordStdin) {
    const password = inputOf(io).replace(/\r?\n$/, '');
    const mistake = passwordMistake(password, name);
    if (mistake === null) return password;
    throw refused(`the password ${mistake}`, 'Give another one, alone on one line.');
  }
  if (io.prompts === undefined || options.json || options.quiet) {
    throw refused('there is no password: this terminal can’t prompt for it', IN_ITS_PLACE);
  }
  const prompts = await io.prompts(IN_ITS_PLACE);
  for (;;) {
    const password = await prompts.secret(`Password of ${name} (it isn't shown):`);
    const mistake = passwordMistake(password, name);
    if (mistake !== null) {
      show(io, `The password ${mistake}. Choose another.\n`);
      continue;
    }
    if ((await prompts.secret('The same again:')) === password) return password;
    show(io, 'The two differ. Begin again.\n');
  }
}

const IN_ITS_PLACE = 'Give it on standard input with --password-stdin.';

function refused(message: string, hint: string): OperatorError {
  return wrongUse('password', message, hint);
}
