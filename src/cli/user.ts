import { hashPassword } from '../actions/access/password.js';
import { passwordMistake, requireUserName } from '../actions/access/users.js';
import { textTable } from '../report/text/layout.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts/serve.js';
import { type Io, inputOf, show } from './io.js';
import type { OptionsOf } from './options-of.js';
import { needed, usageError } from './usage-error.js';

/** A new password for this name: from standard input, or entered twice on the terminal, which doesn't show it. */
async function askPassword(io: Io, options: OptionsOf<typeof serve.user>, name: string): Promise<string> {
  if (options.passwordStdin) {
    const password = inputOf(io).replace(/\r?\n$/, '');
    const mistake = passwordMistake(password, name);
    if (mistake === null) return password;
    throw usageError('password', `the password ${mistake}`, 'Give another one, alone on one line.');
  }
  if (io.prompts === undefined || options.json || options.quiet) {
    throw usageError('password', 'there is no password: this terminal can’t prompt for it', IN_ITS_PLACE);
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

const HASH = 'registrar user hash anna --role operator';

export async function answer(call: Call<typeof serve.user>): Promise<Answer> {
  const [action, name] = call.inputs;
  return action === 'list' ? listAnswer(call) : hashAnswer(call, needed(name, 'the name', HASH));
}

async function hashAnswer({ io, options }: Call<typeof serve.user>, name: string): Promise<Answer> {
  const role = needed(options.role, '--role', HASH);
  // Before the prompt for a password.
  requireUserName(name);
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
