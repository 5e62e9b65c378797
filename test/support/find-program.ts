import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program; null where this machine lacks it. The variable CHROMIUM names a browser of another path. */
export function findProgram(name: string): string | null {
  if (name === 'chromium' && process.env.CHROMIUM) return process.env.CHROMIUM;
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
