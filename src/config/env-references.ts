import type { Mistake, Path } from './checks/mistake.js';

/** The values of registrar.yaml with every `${NAME}` replaced. */
export interface Resolved {
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the settings for reaching a platform are required. `unused`: only settings for reading files are. The reference
 * `${NAME}` itself replaces a client id or secret that isn't set, so that environments with the same reference are still known to
 * share a client id; unset addresses and folders get a placeholder.
 */
export type CredentialsNeed = 'needed' | 'unused';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What a shell would replace. */
const BARE = /^\$[A-Za-z_][A-Za-z0-9_]*$/;

/** `$${` is the two characters `${` themselves. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}?/g;

/**
 * Replaces `${NAME}` in every text (not in keys) by the environment variable, and refuses a secret that is anything but one such
 * reference. All missing variables are reported, each at the place that refers to it; no message holds the value of a
 * variable or of a secret. A value with a mistake is replaced by undefined.
 */
export function resolveReferences(value: unknown, env: Environment, credentials: CredentialsNeed): Resolved {
  const mistakes: Mistake[] = [];
  return { value: resolve(value, []), mistakes };

  function resolve(node: unknown, path: Path): unknown {
    if (isSecret(path) && node !== null && !isOneReference(node)) {
      mistakes.push({
        path,
        text: `must be a reference such as \${${exampleFor(path)}}: a secret is never written into this file. Put it into that environment variable${isInboxSecret(path) ? '' : `, or into a file that ${path.at(-1)}File names`}, and rotate the old value: assume that it has leaked`,
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
      const found = NAME.test(name) && reference.endsWith('}') ? env[name] : undefined;
      if (credentials === 'needed' && isCredential(path) && hasBlankEnd(found)) {
        faults.add(
          `refers to the environment variable ${name}, which begins or ends with a blank; remove the blank`,
        );
        return '';
      }
      if (found !== undefined && found !== '') return found;
      if (credentials === 'unused' && NAME.test(name) && reference.endsWith('}')) {
        if (isAddress(path)) return text === reference ? UNSET_ADDRESS : UNSET;
        if (isLedger(path)) return `${UNSET_LEDGER}${name}`;
        if (isMailAddress(path)) return text === reference ? UNSET_MAIL : UNSET;
        if (isCredential(path)) return reference;
        if (isFolder(path)) return UNSET;
      }
      faults.add(faultOf(reference, name, found));
      return '';
    });
    for (const fault of faults) mistakes.push({ path, text: fault });
    return faults.size === 0 ? result : undefined;
  }
}

/** True when the value at this place, or one around it, was left out because of a mistake already reported. */
export function isLeftOut(value: unknown, path: Path): boolean {
  let node: unknown = value;
  for (const part of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return false;
    node = (node as Record<string | number, unknown>)[part];
    if (node === undefined) return true;
  }
  return false;
}

function isSecret(path: Path): boolean {
  if (isConsole(path, 'oidc.clientSecret') || isLedger(path)) return true;
  if (isInboxSecret(path)) return true;
  if (path.length === 3) return path[0] === 'environments' && path[2] === 'clientSecret';
  const setting = channelSetting(path);
  return setting !== null && ALERT_SECRETS.includes(setting);
}

/** What opens the remote inbox of a source, or its files. */
function isInboxSecret(path: Path): boolean {
  if (path[0] !== 'sources') return false;
  const secrets = INBOX_SECRETS[String(path[2])] ?? [];
  return secrets.includes(String(path.at(-1)));
}

const INBOX_SECRETS: Readonly<Record<string, readonly string[]>> = {
  inbox: ['password', 'passphrase', 'token'],
  decrypt: ['key', 'passphrase'],
};

/** The address of the ledger's database holds a password. */
function isLedger(path: Path): boolean {
  return path.length === 1 && path[0] === 'ledger';
}

/** True for one of these places below `console`. */
function isConsole(path: Path, ...places: readonly string[]): boolean {
  return path[0] === 'console' && places.includes(path.slice(1).join('.'));
}

/** `webhook.url` and the like, of a channel of alerts; null for any other place. */
function channelSetting(path: Path): string | null {
  return path[0] === 'alerts' && path[1] === 'channels' && path.length > 3 ? path.slice(3).join('.') : null;
}

/** The address of a webhook is a secret: it is enough to post to it. */
const ALERT_SECRETS: readonly string[] = ['webhook.url', 'webhook.secret', 'email.password'];

function exampleFor(path: Path): string {
  if (path[0] === 'console') return 'REGISTRAR_CONSOLE_SECRET';
  if (isLedger(path)) return 'REGISTRAR_LEDGER_URL';
  if (path[0] === 'sources') return 'REGISTRAR_INBOX_SECRET';
  return path[0] === 'environments' ? 'REGISTRAR_CLIENT_SECRET' : 'REGISTRAR_ALERT_SECRET';
}

function isCredential(path: Path): boolean {
  if (isConsole(path, 'oidc.clientId')) return true;
  if (isLedger(path)) return false;
  return isSecret(path) || (path.length === 3 && path[0] === 'environments' && path[2] === 'clientId');
}

function isAddress(path: Path): boolean {
  if (channelSetting(path) === 'webhook.url' || isConsole(path, 'url', 'oidc.issuer')) return true;
  if (path[0] === 'monitor') return path[1] === 'pings' && path[3] !== 'caFile';
  return path.length === 3 && path[0] === 'environments' && ['baseUrl', 'authUrl'].includes(String(path[2]));
}

function isMailAddress(path: Path): boolean {
  return /^email\.(from|to\.\d+)$/.test(channelSetting(path) ?? '');
}

/** Folders and files that are used only to import files, to deliver, to report, to send notifications and to serve pages. */
function isFolder(path: Path): boolean {
  if (channelSetting(path) !== null) return true;
  if (isConsole(path, 'tls.certFile', 'tls.keyFile', 'oidc.clientSecretFile', 'oidc.caFile')) return true;
  if (path[0] === 'environments') return ['caFile', 'clientSecretFile'].includes(String(path[2]));
  if (path[0] === 'monitor') return path[3] === 'caFile';
  if (path[0] === 'sources' && path.at(-1) === 'url') return false;
  return path[0] === 'reports' || (path[0] === 'sources' && ['inbox', 'decrypt'].includes(String(path[2])));
}

/** Replaces a value that is neither set nor used; no host has the domain `.invalid` (RFC 6761). */
const UNSET = 'unset.invalid';
const UNSET_ADDRESS = `https://${UNSET}`;
const UNSET_MAIL = `unset@${UNSET}`;

/** How the address of a ledger's database begins whose variable isn't set; its name follows. It is refused where the ledger is opened. */
export const UNSET_LEDGER = `postgres://${UNSET}/`;

function isOneReference(node: unknown): boolean {
  return typeof node === 'string' && /^\$\{[^{}]*\}$/.test(node) && NAME.test(node.slice(2, -1));
}

function faultOf(reference: string, name: string, found: string | undefined): string {
  if (!NAME.test(name) || !reference.endsWith('}')) {
    return `has \${ without the name of an environment variable and }; write \${NAME}, or $\${ for the characters themselves`;
  }
  return `refers to the environment variable ${name}, which is ${found === '' ? 'empty' : 'not set'}; set it before you start Registrar`;
}

/** True for a value that isn't blank, but begins or ends so: it came with its line, or was pasted. */
function hasBlankEnd(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && value.trim() !== value;
}
