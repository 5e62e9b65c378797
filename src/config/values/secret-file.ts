import { readFileSync, statSync } from 'node:fs';

/** Larger than any secret; a wrong file (an archive, a database) is not read whole. */
const MAX_BYTES = 16_384;

const READABLE_BY_OTHERS = 0o077;

/** Reads a secret; `warning`: others can read the file too. Never throws and never reveals the content. */
export function readSecretFile(
  file: string,
): { secret: string; warning: string | null } | { mistake: string } {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { mistake: 'is not a file; name the one that holds the secret' };
    const tooLarge = `is larger than ${MAX_BYTES / 1024} kB, so it is not a secret; name the file that holds only the secret`;
    if (stat.size > MAX_BYTES) return { mistake: tooLarge };
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (secret.trim() === '') return { mistake: 'is an empty file; write the secret into it' };
    if (secret.trim() !== secret) return { mistake: 'begins or ends with a blank; remove it' };
    if (/[\r\n]/.test(secret)) return { mistake: 'must hold only the secret, on one line' };
    const rights = (stat.mode & 0o777).toString(8).padStart(4, '0');
    const warning = `can be read by others too (rights ${rights}): chmod 600 ${file}`;
    return { secret, warning: (stat.mode & READABLE_BY_OTHERS) === 0 ? null : warning };
  } catch (error) {
    return { mistake: `cannot be read: ${unreadableReason(error)}` };
  }
}

/** Why a file named in registrar.yaml can't be read. */
export function unreadableReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file (a relative path starts at the workspace)';
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : String(code);
}
