import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../domain/text/is-object.js';
import type { Mistake, Path } from './checks/mistake.js';
import type { CredentialsNeed } from './env-references.js';
import { webhookMistake } from './values/network/address.js';
import { readSecretFile, whyUnreadable } from './values/secret-file.js';

/** Keys that name the file of a secret, in place of the key without `File`. */
const SECRETS = [
  'environments.*.clientSecretFile',
  'alerts.channels.*.email.passwordFile',
  'alerts.channels.*.webhook.urlFile',
  'alerts.channels.*.webhook.secretFile',
  'console.oidc.clientSecretFile',
];
/** Keys that name a file of authorities' certificates. */
const AUTHORITIES = [
  'environments.*.caFile',
  'monitor.pings.*.caFile',
  'alerts.channels.*.email.caFile',
  'alerts.channels.*.webhook.caFile',
  'console.oidc.caFile',
];

/** Keys that name a key for encrypted files, which is read once it is needed. */
const DECRYPTING = ['sources.*.decrypt.keyFile', 'sources.*.decrypt.verifyWith'];

/**
 * Reads the secrets from their files, and checks files of certificates and keys. No mistake holds a secret.
 * @param value registrar.yaml with its references replaced; it may have other mistakes. @param folder the workspace.
 * @param credentials `unused`: only paths of keys for encrypted files are read.
 * @returns `settings`: the secrets, and the absolute paths of the other files, each with its place.
 */
export function readNamedFiles(value: unknown, folder: string, credentials: CredentialsNeed) {
  const settings = DECRYPTING.flatMap((place) => filesAt(value, place.split('.'))).map(
    ({ path, file }): [Path, string] => [path, resolve(folder, file)],
  );
  const mistakes: Mistake[] = [];
  const warnings: Mistake[] = [];
  if (credentials === 'unused') return { settings, mistakes, warnings };
  for (const { path, file, beside } of SECRETS.flatMap((place) => filesAt(value, place.split('.')))) {
    const key = String(path.at(-1)).replace(/File$/, '');
    // Both are a mistake of their own.
    if (key in beside) continue;
    const read = readSecretFile(resolve(folder, file));
    if ('mistake' in read) {
      mistakes.push({ path, text: read.mistake, showValue: true });
      continue;
    }
    if (read.warning !== null) warnings.push({ path, text: read.warning, showValue: true });
    const wrong = path.at(-1) === 'urlFile' ? webhookMistake(read.secret) : null;
    if (wrong !== null) mistakes.push({ path, text: `holds an address that ${wrong}` });
    settings.push([[...path.slice(0, -1), key], read.secret]);
  }
  const checked = (place: string, mistakeIn: (file: string) => string | null) => {
    for (const { path, file } of filesAt(value, place.split('.'))) {
      const absolute = resolve(folder, file);
      const text = mistakeIn(absolute);
      if (text !== null) mistakes.push({ path, text, showValue: true });
      settings.push([path, absolute]);
    }
  };
  for (const place of AUTHORITIES) checked(place, authoritiesMistake);
  let certificate: X509Certificate | null = null;
  checked('console.tls.certFile', (file) => {
    try {
      // The first certificate of a file is the server's own.
      certificate = new X509Certificate(readFileSync(file));
      return null;
    } catch (error) {
      return unreadableText(error, NO_CERTIFICATE);
    }
  });
  checked('console.tls.keyFile', (file) => keyMistake(file, certificate));
  return { settings, mistakes, warnings };
}

interface NamedFile {
  readonly path: Path;
  readonly file: string;
  readonly beside: object;
}

/** The texts at a place; `*` is every entry of a list or a map. */
function filesAt(
  value: unknown,
  [step, ...further]: readonly string[],
  path: Path = [],
): readonly NamedFile[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => filesAt(one, further, [...path, at]));
  if (!isObject(value) || step === undefined) return [];
  if (step === '*')
    return Object.entries(value).flatMap(([key, one]) => filesAt(one, further, [...path, key]));
  const child = value[step];
  if (further.length > 0) return filesAt(child, further, [...path, step]);
  return typeof child === 'string' ? [{ path: [...path, step], file: child, beside: value }] : [];
}

export function withSetting<Value>(value: Value, [step, ...further]: Path, text: string): Value {
  if (step === undefined) return text as Value;
  if (Array.isArray(value)) {
    return value.map((one, at) => (at === step ? withSetting(one, further, text) : one)) as Value;
  }
  const entries = value as Readonly<Record<string, unknown>>;
  return { ...entries, [step]: withSetting(entries[step], further, text) } as Value;
}

function authoritiesMistake(file: string): string | null {
  try {
    const certificates = readFileSync(file, 'latin1').match(CERTIFICATE) ?? [];
    if (certificates.length === 0) return NO_CERTIFICATE;
    for (const certificate of certificates) new X509Certificate(certificate);
    return null;
  } catch (error) {
    return unreadableText(error, 'holds a damaged certificate');
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

const NO_CERTIFICATE =
  'holds no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl x509 -inform der -in FILE writes a binary one so';

/** @param certificate null: it can't be compared with one. */
function keyMistake(file: string, certificate: X509Certificate | null): string | null {
  try {
    const key = createPrivateKey(readFileSync(file));
    return certificate === null || certificate.checkPrivateKey(key)
      ? null
      : 'is not the key of the certificate in certFile';
  } catch (error) {
    const why = 'holds no private key in PEM form without a passphrase; openssl pkey -in FILE writes one so';
    return unreadableText(error, why);
  }
}

/** @param why what is wrong where the system could read the file. */
function unreadableText(error: unknown, why: string): string {
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfSystem ? `cannot be read: ${whyUnreadable(error)}` : why;
}
