import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_FILE } from '../config/load-config.js';
import { OperatorError } from '../domain/operator-error.js';
import { DENIED_HINT, deniedText, isDenied } from '../domain/process/who-may.js';

/**
 * The absolute folder of the workspace: `--workspace`, else REGISTRAR_WORKSPACE, else the current folder. Throws OperatorError
 * where that folder holds no registrar.yaml, or denies access; a named workspace is never replaced by another.
 * @param workspace the value of `--workspace`, undefined when it was not given.
 */
export function findWorkspace(
  workspace: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  currentFolder: string,
): string {
  const named = workspace ?? (env.REGISTRAR_WORKSPACE || undefined);
  const folder = resolve(currentFolder, named ?? '.');
  if (isThere(join(folder, CONFIG_FILE))) return folder;
  const by = workspace === undefined ? 'REGISTRAR_WORKSPACE' : '--workspace';
  throw new OperatorError({
    operation: 'find the workspace',
    subject: folder,
    message:
      named === undefined
        ? `${folder} isn't a workspace: it has no ${CONFIG_FILE}, and neither --workspace nor REGISTRAR_WORKSPACE names one`
        : `${folder}, named by ${by}, isn't a workspace: it has no ${CONFIG_FILE}`,
    hint: `Make one with registrar init${named === undefined ? '' : ' for that folder'}, or name another with --workspace.`,
  });
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    // A folder that denies access may well hold a registrar.yaml: init would not help.
    if (isDenied(error)) throw closed(path, error);
    return false;
  }
}

function closed(path: string, cause: unknown): OperatorError {
  return new OperatorError({
    operation: 'find the workspace',
    subject: path,
    message: `could not look for ${path}: permission denied; ${deniedText(path)}`,
    hint: DENIED_HINT,
    exit: 'io',
    cause,
  });
}
