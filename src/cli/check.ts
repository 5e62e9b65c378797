import { resolve } from 'node:path';
import { check } from '../actions/check.js';
import { checkText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { CheckOptions } from './facts/check.js';
import { inspectDocument } from './inspect-document.js';

/** Carries `registrar check` out. */
export async function answer({
  inputs: [file = ''],
  options: { source, limit },
  io,
  workspace,
}: Call<CheckOptions>): Promise<Answer> {
  const checked = await check(workspace('unused'), { file: resolve(io.cwd, file), source, limit });
  const { seen, refused: _refused, sheetsLeft: _sheetsLeft, isClean, ...all } = checked;
  return {
    document: () => ({ ...inspectDocument(seen), ...all }),
    text: (columns) => checkText(checked, columns),
    ...(isClean ? {} : { exit: 'attention' as const }),
  };
}
