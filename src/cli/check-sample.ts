import { parseConfig } from '../config/load-config.js';
import { systemClock } from '../domain/clock.js';
import { workspacePaths } from '../workspace/folders.js';
import { type CheckedFile, checkFile, checkText } from './check-file.js';
import type { Io } from './io.js';
import { sourceNamed } from './session.js';

/** Issues of rows that a verdict shows. */
const SHOWN_ISSUES = 5;

/** What `check` says of a sample under a configuration that was made from it. */
export async function checkSample(
  file: string,
  yaml: string,
  folder: string,
  sourceName: string,
  io: Pick<Io, 'env'>,
): Promise<CheckedFile> {
  const { config } = parseConfig(yaml, folder, io.env, 'unused');
  const workspace = { config, paths: workspacePaths(folder, config), clock: systemClock() };
  return checkFile(file, workspace, sourceNamed(config, sourceName), SHOWN_ISSUES);
}

/** For people: whether the sample would come in as it is, and if not, what to do, in the words of `check`. */
export function verdictText(fileName: string, checked: CheckedFile, columns: number | null): string {
  // What is skipped is skipped rightly: nothing to do about it.
  const issues = checked.isClean ? [] : checked.issues;
  const said = checkText({ ...checked, issues, records: [] }, columns);
  return checked.isClean
    ? `A check of ${fileName} is clean: ${said}`
    : `A check of ${fileName} says:\n${said}`;
}

/** The same as a document. */
export function verdictDocument({ isClean, dispositions, issues }: CheckedFile) {
  return { clean: isClean, dispositions, issues };
}
