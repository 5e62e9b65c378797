import { check } from '../actions/check.js';
import { checkDocument } from '../actions/documents/inspect-document.js';
import { fileNamed } from '../actions/inboxes/with-local-file.js';
import { checkText, zoneNoteText } from './check-words.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts.js';

export async function answer({
  inputs: [file = ''],
  options: { source, limit },
  io,
  workspace,
}: Call<typeof look.check>): Promise<Answer> {
  const checked = await check(workspace('unused'), { file: fileNamed(file, io.cwd), source, limit });
  return {
    document: () => checkDocument(checked),
    text: (columns) => `${zoneNoteText(checked.inspected)}${checkText(checked, columns)}`,
    ...(checked.isClean ? {} : { exit: 'attention' as const }),
  };
}
