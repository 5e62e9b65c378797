import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { Environment } from '../config/env-references.js';

/**
 * The certificates of Node's own authorities, those of NODE_EXTRA_CA_CERTS and those of the file: the authorities that Node is
 * given replace the other two.
 */
export function authoritiesWith(caFile: string, { NODE_EXTRA_CA_CERTS: extra }: Environment): string[] {
  const files = [caFile, ...(extra === undefined || extra === '' ? [] : [extra])];
  return [...rootCertificates, ...files.flatMap(certificatesIn)];
}

/**
 * The certificates in a file; none where it can't be read, as in Node itself: a host that needs them is then reported as
 * not trusted.
 */
function certificatesIn(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
