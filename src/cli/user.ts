import { readFileSync } from 'node:fs';
import { hashPassword } from '../actions/access/password.js';
import { userNameMistake } from '../domain/access/user-name.js';
import { textTable } from '../report/text/layout.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts.js';
import { type Io, show } from './io.js';
import type { OptionsOf } from './options-of.js';
import { requireInput, usageError } from './usage-error.js';

/** A new password for this name: from standard input, or entered twice on the terminal, which doesn't show it. */
async function askPassword(io: Io, options: OptionsOf<typeof serve.user>, name: string): Promise<string> {
  if (options.passwordStdin) {
    const password = (io.input?.() ?? readFileSync(0, 'utf8')).replace(/\r?\n$/, '');
    const mistake = passwordMistake(password, name);
    if (mistake === null) return password;
    throw usageError('password', `the password ${mistake}`, 'Give another one, alone on one line.');
  }
  if (io.prompts === undefined || options.json || options.quiet) {
    throw usageError('password', 'there is no password: this terminal can’t prompt for it', NO_TERMINAL_HINT);
  }
  const prompts = await io.prompts(NO_TERMINAL_HINT);
  for (;;) {
    const password = await prompts.secret(`Password of ${name} (it isn't shown):`);
    const mistake = passwordMistake(password, name);
    if (mistake !== null) {
      show(io, `The password ${mistake}. Choose another.\n`);
      continue;
    }
    if ((await prompts.secret('Repeat the password:')) === password) return password;
    show(io, 'The passwords differ. Try again.\n');
  }
}

/** Short ones are guessed from a stolen hash, whatever it costs. */
const MIN_LETTERS = 12;
/** What a sign-in reads. */
const MAX_LETTERS = 1_024;

/** What is wrong with a new password, as the end of a sentence; null when nothing is. */
function passwordMistake(password: string, name: string): string | null {
  const letters = [...password].length;
  if (letters < MIN_LETTERS) return `is shorter than ${MIN_LETTERS} characters`;
  if (letters > MAX_LETTERS) return `is longer than ${MAX_LETTERS} characters`;
  if (/\p{Cc}/u.test(password)) return 'has a character that can’t be typed, such as a line end';
  return password.toLowerCase().replaceAll(name.toLowerCase(), '') === '' ? 'is the name' : null;
}

const NO_TERMINAL_HINT = 'Give it on standard input with --password-stdin.';

const HASH = 'registrar user hash anna --role operator';

export async function answer(call: Call<typeof serve.user>): Promise<Answer> {
  const [action, name] = call.inputs;
  return action === 'list' ? listAnswer(call) : hashAnswer(call, requireInput(name, 'the name', HASH));
}

async function hashAnswer({ io, options }: Call<typeof serve.user>, name: string): Promise<Answer> {
  const role = requireInput(options.role, '--role', HASH);
  // Before the prompt for a password.
  const mistake = userNameMistake(name);
  if (mistake !== null) throw usageError(name, `"${name}" ${mistake}`, 'Choose another name.');
  const password = await hashPassword(await askPassword(io, options, name));
  return {
    document: () => ({ user: { name, role, password } }),
    text: () =>
      [
        '# Put this entry into registrar.yaml; a running console reads it after SIGHUP.',
        'console:',
        '  users:',
        `    - name: "${name}"`,
        `      role: ${role}`,
        `      password: "${password}"`,
        '',
      ].join('\n'),
  };
}

function listAnswer({ workspace }: Call<typeof serve.user>): Answer {
  const users = workspace('unused').config.console.users.map(({ name, role }) => ({ name, role }));
  return {
    document: () => ({ users }),
    text: (columns) =>
      users.length === 0
        ? `No users yet: ${HASH}\n`
        : `${textTable(
            ['NAME', 'ROLE'],
            users.map(({ name, role }) => [name, role]),
            columns,
          )}\n`,
  };
}
