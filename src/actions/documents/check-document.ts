import type { CheckedFile } from '../check.js';
import { inspectDocument } from './inspect-document.js';

/** What staging would make of a file, as `check --json` prints it. Personal. */
export function checkDocument(checked: CheckedFile) {
  const { seen, refused: _refused, sheetsLeft: _sheetsLeft, isClean: _isClean, ...all } = checked;
  return { ...inspectDocument(seen), ...all };
}
