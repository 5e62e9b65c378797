import type { Issue } from '../../domain/issue.js';
import { shown } from '../values/reading.js';
import type { SeenWord, StatusEvidence } from './status-evidence.js';

/** A column that no field is mapped to holds words that say who has not completed. */
export function unseenStatus(
  field: string,
  header: string,
  index: number,
  evidence: Pick<StatusEvidence, 'words' | 'blanks' | 'isReversed'>,
): Issue {
  const words = evidence.words();
  const name = header.trim() === '' ? `column ${index + 1}, which has no name,` : `"${shown(header)}"`;
  const blanks = evidence.blanks();
  const counts = [
    ...words.slice(0, SHOWN_WORDS).map(counted),
    ...(words.length > SHOWN_WORDS ? [`${words.length - SHOWN_WORDS} other words`] : []),
    ...(blanks > 0 ? [`empty (${blanks})`] : []),
  ];
  return {
    code: 'status-unseen',
    column: header.trim() === '' ? null : header,
    value: words[0]?.text ?? null,
    message: `no column is mapped as ${field}, and ${name} seems to say who has not completed: ${counts.join(', ')}`,
    remedy: `say for the source in registrar.yaml what it is: ${mapping(field, header, evidence)}; or columns: { ${field}: null } where no column says so`,
  };
}

/** As many words as a sentence bears. */
const SHOWN_WORDS = 8;

function counted({ text, count, line, isAgainst }: SeenWord): string {
  return `"${shown(text)}" (${count}${isAgainst ? `, first in line ${line}` : ''})`;
}

/** All settings that the column needs to be read: the field that it is, and its words that are in no vocabulary. */
function mapping(
  field: string,
  header: string,
  evidence: Pick<StatusEvidence, 'words' | 'blanks' | 'isReversed'>,
): string {
  if (header.trim() === '') return `give the column a name in the file, and then columns: { ${field}: … }`;
  const own = `columns: { ${field}: ${JSON.stringify(header).replaceAll('${', '$${')} }`;
  const words = evidence.words();
  const list = (meaning: SeenWord['means']) =>
    words.filter(({ means }) => means === meaning).map(({ text }) => JSON.stringify(shown(text)));
  const blank =
    evidence.blanks() > 0
      ? `, with defaults: { ${field}: ${evidence.isReversed() ? 'Completed' : 'Not completed'} } for its empty cells`
      : '';
  if (evidence.isReversed()) {
    return `${own} with status: { completed: [${list('no')}], notCompleted: [${list('yes')}] }${blank}`;
  }
  const marks = list('mark');
  const unknown = list('unknown');
  const further = [
    ...(marks.length > 0 ? [`status: { completed: [${marks.join(', ')}] }`] : []),
    ...(unknown.length > 0
      ? [`and under status: completed or notCompleted what ${unknown.slice(0, 4).join(', ')} means`]
      : []),
  ];
  return `${own}${further.length > 0 ? ` with ${further.join(', ')}` : ''}${blank}`;
}
