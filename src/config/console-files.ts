import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Mistake } from './checks/mistake.js';
import type { ConsoleConfig } from './schema/console-schema.js';
import { caFileMistake } from './values/network/ca-file.js';
import { readSecretFile, whyUnreadable } from './values/secret-file.js';

/** The settings of the console with the content of files beside registrar.yaml. */
export interface ConsoleFiles {
  readonly console: ConsoleConfig;
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
}

/**
 * Reads the secret of the console's provider where it is in a file, checks its certificate and key, and makes the paths of
 * files absolute. No mistake holds a secret.
 */
export function readConsoleFiles(given: ConsoleConfig, folder: string): ConsoleFiles {
  const mistakes: Mistake[] = [];
  const warnings: Mistake[] = [];
  const { tls, oidc } = given;
  return { console: { ...given, ...readTls(), ...readOidc() }, mistakes, warnings };

  function readTls(): Pick<ConsoleConfig, 'tls'> {
    if (tls === undefined) return {};
    const [certFile, keyFile] = [resolve(folder, tls.certFile), resolve(folder, tls.keyFile)];
    const certificate = certificateIn(certFile);
    if (typeof certificate === 'string') note(['tls', 'certFile'], certificate);
    const text = keyMistake(keyFile, typeof certificate === 'string' ? null : certificate);
    if (text !== null) note(['tls', 'keyFile'], text);
    return { tls: { certFile, keyFile } };
  }

  function readOidc(): Pick<ConsoleConfig, 'oidc'> {
    if (oidc === undefined) return {};
    const caFile = oidc.caFile === undefined ? undefined : resolve(folder, oidc.caFile);
    const text = caFile === undefined ? null : caFileMistake(caFile);
    if (text !== null) note(['oidc', 'caFile'], text);
    if (oidc.clientSecretFile === undefined) return { oidc: { ...oidc, caFile } };
    const read = readSecretFile(resolve(folder, oidc.clientSecretFile));
    const path = ['console', 'oidc', 'clientSecretFile'];
    if ('mistake' in read) mistakes.push({ path, text: read.mistake, showValue: true });
    else if (read.warning !== null) warnings.push({ path, text: read.warning, showValue: true });
    return { oidc: { ...oidc, caFile, clientSecret: 'secret' in read ? read.secret : undefined } };
  }

  function note(path: readonly string[], text: string): void {
    mistakes.push({ path: ['console', ...path], text, showValue: true });
  }
}

/** The first certificate of a file, which is the server's own; or what is wrong with it. */
function certificateIn(file: string): X509Certificate | string {
  try {
    return new X509Certificate(readFileSync(file));
  } catch (error) {
    return isOfSystem(error) ? `cannot be read: ${whyUnreadable(error)}` : 'holds no certificate in PEM form';
  }
}

/** @param certificate null: it can't be compared with one. */
function keyMistake(file: string, certificate: X509Certificate | null): string | null {
  try {
    const key = createPrivateKey(readFileSync(file));
    return certificate === null || certificate.checkPrivateKey(key)
      ? null
      : 'is not the key of the certificate in certFile';
  } catch (error) {
    if (isOfSystem(error)) return `cannot be read: ${whyUnreadable(error)}`;
    return 'holds no private key in PEM form without a passphrase; openssl pkey -in FILE writes one so';
  }
}

function isOfSystem(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}
