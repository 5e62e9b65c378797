import type { Config } from '../config/schema.js';
import { durationText } from '../config/values/duration.js';

/** One setting as it was read. */
export interface Setting {
  /** As in registrar.yaml: `environments.main.quota.requests`, `sources[0].name`. */
  readonly path: string;
  /** null where it is set and not shown. */
  readonly value: string | null;
}

/** The settings as they were read. Credentials are left out, and of addresses that may give access all but their host. */
export function shownSettings(config: Config): Setting[] {
  const hidden = new Set<string>();
  collectHidden(config, false, hidden);
  const found: Setting[] = [];
  walk(config, '', '', (path, key, value) => {
    const shown = isHidden(key) ? null : textOf(path, key, value);
    // A secret that stands in another setting too, such as in a command, isn't shown there either.
    const leaks = shown !== null && [...hidden].some((secret) => shown.includes(secret));
    found.push({ path: key.endsWith('Ms') ? path.slice(0, -2) : path, value: leaks ? null : shown });
  });
  return found;
}

/** Keys whose values give access, or belong to somebody who has it. A file that holds a secret may be named. */
function isHidden(key: string): boolean {
  return /secret|password|token|clientid|^users?$|^hash$|headers$/i.test(key) && !/file$/i.test(key);
}

/** Addresses that give no access. */
const OPEN_ADDRESSES: readonly string[] = ['baseUrl', 'authUrl', 'issuer'];

/** Shorter values occur in other texts by chance. */
const SHORTEST_SECRET = 6;

function textOf(path: string, key: string, value: unknown): string | null {
  if (typeof value === 'number' && key.endsWith('Ms')) return durationText(value);
  if (typeof value !== 'string') return String(value);
  // The arguments of a command may be anything.
  if (/\bcommand\[[1-9]\d*\]$/.test(path)) return null;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value;
  if (!URL.canParse(value)) return null;
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${OPEN_ADDRESSES.includes(key) ? pathname : ''}`;
}

function walk(
  value: unknown,
  path: string,
  key: string,
  found: (path: string, key: string, value: unknown) => void,
): void {
  if (value === undefined || value === null) return;
  if (isHidden(key) || typeof value !== 'object') {
    found(path, key, value);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) walk(one, `${path}[${index}]`, key, found);
    return;
  }
  for (const [name, one] of Object.entries(value))
    walk(one, path === '' ? name : `${path}.${name}`, name, found);
}

function collectHidden(value: unknown, isSecret: boolean, hidden: Set<string>): void {
  if (typeof value === 'string' && isSecret && value.length >= SHORTEST_SECRET) hidden.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    collectHidden(one, isSecret || (!Array.isArray(value) && isHidden(name)), hidden);
  }
}
