import type { ConsoleConfig } from '../../config/schema/console-schema.js';
import type { Person, Role } from '../../domain/access/role.js';
import { isSameUser } from '../../domain/access/user-name.js';

export interface Refusal {
  /** `unnamed`: there is no name that could be recorded. `refused`: the provider's answer can't be trusted. */
  readonly code: 'no-role' | 'unnamed' | 'refused' | 'unavailable';
  /** For the person: plain sentences. */
  readonly text: string;
  /** For the log, without secrets; null: there is no more to say. */
  readonly detail: string | null;
}

export type SignIn = { readonly person: Person } | { readonly refusal: Refusal };

export function refusal(code: Refusal['code'], text: string): Refusal {
  return { code, text, detail: null };
}

/** Of several roles the first one here applies. */
const ORDER = ['operator', 'auditor', 'viewer'] as const satisfies readonly Role[];

const GROUP = 'group:';
const MAX_LETTERS = 200;

/** The user with the role that registrar.yaml gives to the name or the groups. A name never counts as a group. */
export function withRole({ roles }: ConsoleConfig, name: string, groups: readonly string[]): SignIn {
  if (name === '' || name.length > MAX_LETTERS || /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) {
    const text =
      'The sign-in gives no user name, so your decisions couldn’t be recorded. Contact the administrator of the sign-in.';
    return { refusal: refusal('unnamed', text) };
  }
  const isListed = (member: string) =>
    member.startsWith(GROUP) ? groups.includes(member.slice(GROUP.length)) : isSameUser(member, name);
  const role = ORDER.find((one) => roles[one].some(isListed)) ?? roles.others;
  if (role !== 'none') return { person: { name, role } };
  const text = `You’re signed in as ${name}, but don’t have access. Contact the Registrar administrator for a role.`;
  return { refusal: refusal('no-role', text) };
}
