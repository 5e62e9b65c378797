import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a program; null where this machine lacks it. Of Chromium the build without windows is preferred, which takes a
 * third of the processor's time; the variable CHROMIUM names a browser of another path.
 */
export function findProgram(name: string): string | null {
  if (name !== 'chromium') return onPath(name);
  return process.env.CHROMIUM || (onPath('chromium-headless-shell') ?? onPath(name));
}

function onPath(name: string): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return paths.find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
