import { hashPassword } from '../actions/access/password.js';
import { requireUserName } from '../actions/access/users.js';
import { textTable } from '../report/text/layout.js';
import { askPassword } from './ask-password.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts/serve.js';
import { needed } from './wrong-use.js';

const HASH = 'registrar user hash anna --role operator';

/** Carries `registrar user` out. */
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
