import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { whyUnreadable } from '../secret-file.js';

/** Larger than any bundle of authorities; a wrong file isn't read whole. */
const MAX_BYTES = 4_000_000;

/** What is wrong with the file that a `caFile` names, as the end of a sentence; null when nothing is. */
export function caFileMistake(file: string): string | null {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return 'is not a file';
    if (stat.size > MAX_BYTES) return 'is too large to be a file of certificates';
    return mistakeIn(readFileSync(file, 'latin1'));
  } catch (error) {
    return `cannot be read: ${whyUnreadable(error)}`;
  }
}

function mistakeIn(text: string): string | null {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return "holds a private key; give the authority's certificate alone";
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) {
    return 'holds no certificate in PEM form (-----BEGIN CERTIFICATE-----); openssl x509 -inform der -in FILE writes a binary one so';
  }
  const damaged = blocks.findIndex((block) => !isCertificate(block));
  return damaged === -1 ? null : `holds a damaged certificate, the ${damaged + 1}. of ${blocks.length}`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
