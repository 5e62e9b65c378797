import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Environment } from '../config/env-references.js';

/** By the text of the further authorities: parsing Node's own takes longer than most requests. */
const contexts = new Map<string, SecureContext>();

/** Trusts Node's own authorities, those of NODE_EXTRA_CA_CERTS and those of the file: a given list replaces the others. */
export function trustWith(caFile: string, { NODE_EXTRA_CA_CERTS: extra = '' }: Environment): SecureContext {
  const further = [caFile, extra].map(certificatesIn).join('\n');
  const context = contexts.get(further) ?? createSecureContext({ ca: [...rootCertificates, further] });
  contexts.set(further, context);
  return context;
}

/** '' where the file can't be read, as in Node itself: a host that needs them is then reported as not trusted. */
function certificatesIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
