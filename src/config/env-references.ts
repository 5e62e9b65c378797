import type { Mistake, Path } from './checks/mistake.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `unused`: variables for reaching a platform may be unset: a client id or secret then is its reference, by which
 * environments share a client id; addresses and folders get a placeholder.
 */
export type CredentialsNeed = 'needed' | 'unused';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const BARE = /^\$[A-Za-z_][A-Za-z0-9_]*$/;

/** `$${` is the two characters `${` themselves. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}?/g;

/**
 * Replaces `${NAME}` in every text by the environment variable, and refuses a secret that isn't one such reference.
 * Each missing variable is a mistake of its place; no message holds the value of a variable or of a secret.
 * A value with a mistake becomes undefined.
 */
export function resolveReferences(value: unknown, env: Environment, credentials: CredentialsNeed) {
  const mistakes: Mistake[] = [];
  return { value: resolve(value, []), mistakes };

  function resolve(node: unknown, path: Path): unknown {
    if (SECRET.test(placeOf(path)) && node !== null && !isOneReference(node)) {
      mistakes.push({
        path,
        text: `must be a reference such as \${REGISTRAR_SECRET}: a secret is never written into this file. Put it into that environment variable${path[0] === 'sources' ? '' : `, or into a file that ${path.at(-1)}File names`}, and rotate the old value: assume that it has leaked`,
      });
      return undefined;
    }
    if (typeof node === 'string') return replaced(node, path);
    if (Array.isArray(node)) return node.map((item, index) => resolve(item, [...path, index]));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [key, resolve(item, [...path, key])]),
    );
  }

  function replaced(text: string, path: Path): string | undefined {
    const faults = new Set<string>();
    if (BARE.test(text) && path[0] !== 'sources') {
      faults.add(`looks like a reference without its braces; write \${${text.slice(1)}}`);
    }
    const result = text.replace(REFERENCE, (reference, name: string | undefined) => {
      if (name === undefined) return '${';
      const isSound = NAME.test(name) && reference.endsWith('}');
      const value = isSound ? env[name] : undefined;
      if (credentials === 'needed' && isCredential(path) && hasBlankEnd(value)) {
        faults.add(
          `refers to the environment variable ${name}, which begins or ends with a blank; remove the blank`,
        );
        return '';
      }
      if (value !== undefined && value !== '') return value;
      const isWhole = text === reference;
      const unset = credentials === 'unused' && isSound ? placeholder(reference, name, isWhole, path) : null;
      if (unset === null) faults.add(isSound ? unsetFault(name, value) : NO_REFERENCE);
      return unset ?? '';
    });
    for (const fault of faults) mistakes.push({ path, text: fault });
    return faults.size === 0 ? result : undefined;
  }
}

/** True when the value at this place, or one around it, was left out because of a mistake already reported. */
export function isOmitted(value: unknown, path: Path): boolean {
  let node: unknown = value;
  for (const part of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return false;
    node = (node as Record<string | number, unknown>)[part];
    if (node === undefined) return true;
  }
  return false;
}

/** What signs in, or is enough to post: an address of a webhook. The ledger's address holds a password. */
const SECRET =
  /^(ledger|environments\.\*\.clientSecret|console\.oidc\.clientSecret|alerts\.channels\.\*\.(webhook\.(url|secret)|email\.password)|sources\.\*\.((inbox|results)\.(\w+\.)?(password|passphrase|token)|decrypt\.(key|passphrase)))$/;

/** What only delivery, reports, notifications, pages and fetching use; the address of a file is not among it. */
const UNUSED =
  /^(environments\.\*\.(baseUrl|authUrl|\w+File)$|monitor\.pings\.\*\.|alerts\.channels\.\*\.|console\.(url$|tls\.|oidc\.)|reports\.|sources\.\*\.(inbox|results|decrypt)\b(?!.*\.url$))/;

/** A place by its keys; `*` is an entry of a list, and the name of an environment. */
export function placeOf(path: Path): string {
  return path
    .map((part, at) => (typeof part === 'number' || (at === 1 && path[0] === 'environments') ? '*' : part))
    .join('.');
}

function isCredential(path: Path): boolean {
  const place = placeOf(path);
  return place !== LEDGER && (SECRET.test(place) || place.endsWith('.clientId'));
}

/** null: it must be set. */
function placeholder(reference: string, name: string, isWhole: boolean, path: Path): string | null {
  const place = placeOf(path);
  if (place === LEDGER) return `${UNSET_LEDGER}${name}`;
  if (!UNUSED.test(place)) return isCredential(path) ? reference : null;
  if (isWhole && /\.(baseUrl|authUrl|url|issuer|start|fail)$/.test(place)) return `https://${UNSET}`;
  return isWhole && /\.(from|to|to\.\*)$/.test(place) ? `unset@${UNSET}` : UNSET;
}

const LEDGER = 'ledger';

/** Replaces a value that is neither set nor used; no host has the domain `.invalid` (RFC 6761). */
const UNSET = 'unset.invalid';

/** The address of a database whose variable isn't set begins so, and its name follows; opening it is refused. */
export const UNSET_LEDGER = `postgres://${UNSET}/`;

function isOneReference(node: unknown): boolean {
  return typeof node === 'string' && /^\$\{[^{}]*\}$/.test(node) && NAME.test(node.slice(2, -1));
}

const NO_REFERENCE = `has \${ without the name of an environment variable and }; write \${NAME}, or $\${ for the characters themselves`;

function unsetFault(name: string, value: string | undefined): string {
  return `refers to the environment variable ${name}, which is ${value === '' ? 'empty' : 'not set'}; set it before you start Registrar`;
}

function hasBlankEnd(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && value.trim() !== value;
}
