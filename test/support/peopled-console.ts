import { startSession } from '../../src/actions/access/sessions.js';
import type { ActionContext } from '../../src/actions/context.js';
import type { Role } from '../../src/domain/access/role.js';
import { testConsole, type Visitor } from './console.js';
import { consoleSettings } from './console-settings.js';
import { hashedPassword } from './hashed-password.js';

/** The person of each role. */
const PEOPLE: Readonly<Record<Role, string>> = { operator: 'ada', auditor: 'otto', viewer: 'vera' };

/** A console with a person for each role; `as` gives one of them a browser in which they have signed in. */
export async function peopledConsole(base: ActionContext) {
  const password = hashedPassword('correct horse battery');
  const users = Object.entries(PEOPLE).map(([role, name]) => ({ name, role, password }));
  const context = {
    ...base,
    config: { ...base.config, console: consoleSettings({ users }) },
  };
  const served = await testConsole(() => context);
  const as = async (role: Role): Promise<Visitor> => {
    const visitor = served.visitor();
    const { secret } = await startSession(context, { name: PEOPLE[role], role }, 'password');
    visitor.cookies.set(`registrar-${new URL(served.url).port}`, secret);
    return visitor;
  };
  return { ...served, as };
}

/** A page's status and text, its markup taken out and spaces made one. */
export async function read(
  response: Response,
): Promise<{ status: number; markup: string; text: string; to: string | null }> {
  const markup = await response.text();
  const text = markup
    .replace(/<(br|\/p|\/li|\/h\d|\/td|\/th|\/dd|\/dt)[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
  return { status: response.status, markup, text, to: response.headers.get('location') };
}

/** What the form under a plan says that its reader has fingerprint. */
export function fingerprintIn({ markup }: { readonly markup: string }): string {
  return /name="fingerprint" value="([^"]*)"/.exec(markup)?.[1] ?? '';
}
