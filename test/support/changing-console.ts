import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type ActionContext, readWorkspace, reconfigured } from '../../src/actions/context.js';
import type { Role } from '../../src/domain/access/role.js';
import { testConsole } from './console.js';
import { hashedPassword } from './hashed-password.js';
import { fingerprintIn, read } from './peopled-console.js';
import { CREDENTIALS, testWorkspace } from './workspace.js';
import { workspaceContext } from './workspace-context.js';

/** The password of everyone who signs in to the console. */
export const PASSWORD = 'correct horse battery';

/** A console that reads registrar.yaml again as the program does. @param people who may sign in; none: the machine's user. */
export async function changingConsole(
  spec: Parameters<typeof testWorkspace>[0] = {},
  people: Readonly<Record<string, Role>> = {},
) {
  const workspace = await testWorkspace(spec);
  const file = join(workspace.root, 'registrar.yaml');
  const names = Object.entries(people);
  // To hash is slow on purpose.
  const password = names.length === 0 ? '' : hashedPassword(PASSWORD);
  const users = names.map(([name, role]) => ({ name, role, password }));
  const settings = parse(readFileSync(file, 'utf8')) as object;
  const own = users.length === 0 ? {} : { console: { users } };
  writeFileSync(file, `# Kept.\n${stringify({ ...settings, ...own })}\n# The end.\n`);
  const env = { ...CREDENTIALS, ...spec.env };
  let context: ActionContext = { ...(await workspaceContext(workspace, env)), env };
  const served = await testConsole(() => context, {
    async reload() {
      context = await reconfigured(context, readWorkspace(workspace.root, { env, cwd: workspace.root }));
    },
  });
  const visitor = served.visitor();
  const page = async (path: string) => read(await visitor.get(path));
  /** Shows what would change, and saves it. */
  const save = async (path: string) => {
    const shown = await page(path);
    return read(await visitor.post(path, { fingerprint: fingerprintIn(shown) }));
  };
  const yaml = () => readFileSync(file, 'utf8');
  const audit = () =>
    workspace.query<{ who: string; about: string }>(
      "select who, about from audit_event where kind = 'settings'",
    );
  return {
    ...served,
    newVisitor: served.visitor,
    workspace,
    visitor,
    page,
    save,
    yaml,
    file,
    audit,
    config: () => context.config,
  };
}
