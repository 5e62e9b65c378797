import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../domain/text/is-object.js';
import type { Mistake, Path } from './checks/mistake.js';
import { type CredentialsNeed, placeOf } from './env-references.js';
import { webhookMistake } from './values/network/address.js';
import { readSecretFile, unreadableReason } from './values/secret-file.js';

/** Keys that name the file of a secret, in place of the key without `File`. */
const SECRETS =
  /^(environments\.\*\.clientSecret|console\.oidc\.clientSecret|alerts\.channels\.\*\.(email\.password|webhook\.(url|secret)))File$/;

/** Keys that name a key for encrypted files, which is read once it is needed. */
const DECRYPTING = /^sources\.\*\.decrypt\.(keyFile|verifyWith)$/;

/** The file that a key beside names. */
type FileOf = (key: string) => string;

/** Keys that name other files, with what is wrong with one, as the end of a sentence; null: nothing. */
const CHECKED: readonly (readonly [
  place: RegExp,
  mistakeIn: (file: string, fileOf: FileOf) => string | null,
])[] = [
  [
    /^((environments\.\*|monitor\.pings\.\*|alerts\.channels\.\*\.\w+|console\.oidc)\.caFile|console\.tls\.certFile)$/,
    certificatesMistake,
  ],
  [/^console\.tls\.keyFile$/, keyMistake],
];

/**
 * Reads the secrets from their files, and checks files of certificates and keys. No mistake holds a secret.
 * @param value registrar.yaml with its references replaced; it may have other mistakes. @param folder the workspace.
 * @param credentials `unused`: only paths of keys for encrypted files are read.
 * @returns `settings`: the secrets, and the absolute paths of the other files, each with its place.
 */
export function readNamedFiles(value: unknown, folder: string, credentials: CredentialsNeed) {
  const settings: [Path, string][] = [];
  const mistakes: Mistake[] = [];
  const warnings: Mistake[] = [];
  for (const { path, text, beside } of textsIn(value)) {
    const place = placeOf(path);
    const file = resolve(folder, text);
    if (DECRYPTING.test(place)) settings.push([path, file]);
    if (credentials === 'unused') continue;
    const mistakeIn = CHECKED.find(([checked]) => checked.test(place))?.[1];
    if (mistakeIn !== undefined) {
      const mistake = mistakeIn(file, (key) => resolve(folder, String(beside[key])));
      if (mistake !== null) mistakes.push({ path, text: mistake, showValue: true });
      settings.push([path, file]);
    }
    const key = String(path.at(-1)).replace(/File$/, '');
    // Both are a mistake of their own.
    if (!SECRETS.test(place) || key in beside) continue;
    const read = readSecretFile(file);
    if ('mistake' in read) {
      mistakes.push({ path, text: read.mistake, showValue: true });
      continue;
    }
    if (read.warning !== null) warnings.push({ path, text: read.warning, showValue: true });
    const wrong = key === 'url' ? webhookMistake(read.secret) : null;
    if (wrong !== null) mistakes.push({ path, text: `holds an address that ${wrong}` });
    settings.push([[...path.slice(0, -1), key], read.secret]);
  }
  return { settings, mistakes, warnings };
}

interface Text {
  readonly path: Path;
  readonly text: string;
  /** The map that it is in. */
  readonly beside: Readonly<Record<string, unknown>>;
}

function textsIn(value: unknown, path: Path = []): readonly Text[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => textsIn(one, [...path, at]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'string'
      ? [{ path: [...path, key], text: one, beside: value }]
      : textsIn(one, [...path, key]),
  );
}
export function withSetting<Value>(value: Value, [step, ...further]: Path, text: string): Value {
  if (step === undefined) return text as Value;
  if (Array.isArray(value)) {
    return value.map((one, at) => (at === step ? withSetting(one, further, text) : one)) as Value;
  }
  const entries = value as Readonly<Record<string, unknown>>;
  return { ...entries, [step]: withSetting(entries[step], further, text) } as Value;
}

function certificatesMistake(file: string): string | null {
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

function keyMistake(file: string, fileOf: FileOf): string | null {
  try {
    const key = createPrivateKey(readFileSync(file));
    const isMismatch = certificateIn(fileOf('certFile'))?.checkPrivateKey(key) === false;
    return isMismatch ? 'is not the key of the certificate in certFile' : null;
  } catch (error) {
    const why = 'holds no private key in PEM form without a passphrase; openssl pkey -in FILE writes one so';
    return unreadableText(error, why);
  }
}

/** The first certificate of a file, which is the server's own; null: it can't be read, which is a mistake of its own. */
function certificateIn(file: string): X509Certificate | null {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return null;
  }
}

/** @param why what is wrong where the system could read the file. */
function unreadableText(error: unknown, why: string): string {
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  return isOfSystem ? `cannot be read: ${unreadableReason(error)}` : why;
}
