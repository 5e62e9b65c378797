import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../config/load-config.js';
import { insertUser, removeUser, userLines } from '../../config/yaml/edit-users.js';
import type { Role } from '../../domain/access/role.js';
import { isSameUser, userNameMistake } from '../../domain/access/user-name.js';
import { OperatorError } from '../../domain/operator-error.js';
import { writeFileAtomic } from '../../workspace/files/atomic-write.js';
import type { Workspace } from '../context.js';
import { hashPassword } from './password.js';

/** Short ones are guessed from a stolen hash, whatever it costs. */
const LEAST_LETTERS = 12;
/** What a log-in looks at. */
const MOST_LETTERS = 1_024;

/** What is wrong with a new password, as the end of a sentence; null when nothing is. */
export function passwordMistake(password: string, name: string): string | null {
  const letters = [...password].length;
  if (letters < LEAST_LETTERS) return `is shorter than ${LEAST_LETTERS} characters`;
  if (letters > MOST_LETTERS) return `is longer than ${MOST_LETTERS} characters`;
  if (/\p{Cc}/u.test(password)) return 'has a character that nobody can type, such as a line end';
  return password.toLowerCase().replaceAll(name.toLowerCase(), '') === '' ? 'is the name' : null;
}

/** Throws OperatorError where nobody can be added under this name. */
export function requireNewUser({ config }: Workspace, name: string): void {
  const mistake = userNameMistake(name);
  if (mistake !== null) throw refused('add a user', name, `"${name}" ${mistake}`, 'Choose another name.');
  const known = config.console.users.find((user) => isSameUser(user.name, name));
  if (known === undefined) return;
  const hint = `For another password or role: registrar user remove ${known.name}, then add it again.`;
  throw refused('add a user', name, `${CONFIG_FILE} has a user "${known.name}" already`, hint);
}

/** Writes somebody who logs in with a password into registrar.yaml, and returns its path. Nothing else in it changes. */
export async function addUser(
  workspace: Workspace,
  { name, role, password }: { readonly name: string; readonly role: Role; readonly password: string },
): Promise<string> {
  requireNewUser(workspace, name);
  const user = { name, role, password: await hashPassword(password) };
  const path = join(workspace.paths.root, CONFIG_FILE);
  const changed = insertUser(readFileSync(path, 'utf8'), user);
  if (changed === null) {
    const hint = `Write this below console: users: by hand:\n${userLines(user).join('\n')}`;
    throw refused('add a user', name, `the users of ${path} are not written line by line`, hint);
  }
  await writeFileAtomic(path, changed);
  return path;
}

/** Takes somebody out of registrar.yaml, and returns its path and the name as it stood there. */
export async function takeUserOut(
  { config, paths }: Workspace,
  name: string,
): Promise<{ readonly path: string; readonly name: string }> {
  const { users } = config.console;
  const user = users.find((one) => isSameUser(one.name, name));
  if (user === undefined) {
    const names = users.map((one) => one.name).join(', ');
    const hint =
      names === '' ? 'There is none yet: registrar user add NAME --role ROLE.' : `There are: ${names}.`;
    throw refused('remove a user', name, `${CONFIG_FILE} has no user "${name}"`, hint);
  }
  const path = join(paths.root, CONFIG_FILE);
  const changed = removeUser(readFileSync(path, 'utf8'), user.name);
  if (changed === null) {
    const message = `the users of ${path} are not written line by line`;
    throw refused('remove a user', name, message, 'Take the entry out by hand.');
  }
  await writeFileAtomic(path, changed);
  return { path, name: user.name };
}

function refused(operation: string, subject: string, message: string, hint: string): OperatorError {
  return new OperatorError({ operation, subject, message, hint });
}
