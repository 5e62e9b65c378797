import { addUser, requireNewUser, takeUserOut } from '../actions/access/users.js';
import { textTable } from '../report/text/layout.js';
import { askPassword } from './ask-password.js';
import type { Answer, Call } from './command.js';
import type { UserOptions } from './facts/user.js';
import { needed } from './needed-word.js';

const ADD = 'registrar user add anna --role operator';

/** Carries `registrar user` out. */
export async function answer(call: Call<UserOptions>): Promise<Answer> {
  const [action, name] = call.inputs;
  if (action === 'list') return listAnswer(call);
  if (action === 'add') return addAnswer(call, needed(name, 'the name', ADD));
  const removed = await takeUserOut(
    call.workspace('unused'),
    needed(name, 'the name', 'registrar user remove anna'),
  );
  return {
    document: () => ({ config: removed.path, user: { name: removed.name } }),
    text: () => `Removed ${removed.name} from ${removed.path}.\n`,
  };
}

async function addAnswer({ io, options, workspace }: Call<UserOptions>, name: string): Promise<Answer> {
  const role = needed(options.role, '--role', ADD);
  const at = workspace('unused');
  // Before anybody thinks of a password.
  requireNewUser(at, name);
  const config = await addUser(at, { name, role, password: await askPassword(io, options, name) });
  return {
    document: () => ({ config, user: { name, role } }),
    text: () => `Added ${name} (${role}) to ${config}.\n`,
  };
}

function listAnswer({ workspace }: Call<UserOptions>): Answer {
  const users = workspace('unused').config.console.users.map(({ name, role }) => ({ name, role }));
  return {
    document: () => ({ users }),
    text: (columns) =>
      users.length === 0
        ? `No users yet: ${ADD}\n`
        : `${textTable(
            ['NAME', 'ROLE'],
            users.map(({ name, role }) => [name, role]),
            columns,
          )}\n`,
  };
}
