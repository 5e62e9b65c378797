import { readFileSync, statSync } from 'node:fs';

/** A secret read from its file, with a warning where others can read the file too; or why there is none. */
export type SecretFile =
  | { readonly secret: string; readonly warning: string | null }
  | { readonly mistake: string };

/** Larger than any secret; a wrong file (an archive, a database) is not read whole. */
const MAX_BYTES = 16_384;

const READABLE_BY_OTHERS = 0o077;

/** Reads the file that a `clientSecretFile` names. Never throws and never reveals the content. */
export function readSecretFile(file: string): SecretFile {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return { mistake: 'is not a file; name the one that holds the secret' };
    if (stat.size > MAX_BYTES)
      return {
        mistake: `is larger than ${MAX_BYTES / 1024} kB and no secret; name the file that holds the secret alone`,
      };
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (secret.trim() === '') return { mistake: 'is an empty file; write the secret into it' };
    if (secret.trim() !== secret) return { mistake: 'begins or ends with a blank; remove it' };
    if (/[\r\n]/.test(secret)) return { mistake: 'must hold the secret alone, on one line' };
    const open = process.platform !== 'win32' && (stat.mode & READABLE_BY_OTHERS) !== 0;
    return {
      secret,
      warning: open
        ? `can be read by others too (rights ${(stat.mode & 0o777).toString(8).padStart(4, '0')}): chmod 600 ${file}`
        : null,
    };
  } catch (error) {
    return { mistake: `cannot be read: ${whyUnreadable(error)}` };
  }
}

/** Why a file that registrar.yaml names can't be read, in words. */
export function whyUnreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file (a relative path starts at the workspace)';
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : String(code);
}
