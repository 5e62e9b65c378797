import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { Environment } from '../config/env-references.js';

/** Node's own authorities, those of NODE_EXTRA_CA_CERTS and those of the file: a given list replaces the others. */
export function authoritiesWith(caFile: string, { NODE_EXTRA_CA_CERTS: extra }: Environment): string[] {
  const files = [caFile, ...(extra === undefined || extra === '' ? [] : [extra])];
  return [...rootCertificates, ...files.flatMap(certificatesIn)];
}

/** None where the file can't be read, as in Node itself: a host that needs them is then reported as not trusted. */
function certificatesIn(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
