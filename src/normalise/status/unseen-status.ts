import type { Issue } from '../../domain/issue.js';
import { issueOf, shown } from '../values/reading.js';
import type { StatusEvidence } from './status-evidence.js';
import type { WordKind } from './word-kind.js';

/** A column that no field is mapped to holds words that say who has not completed. */
export function unseenStatus(field: string, header: string, index: number, evidence: StatusEvidence): Issue {
  const words = evidence.words();
  const isNamed = header.trim() !== '';
  const name = isNamed ? `"${shown(header)}"` : `column ${index + 1}, which has no name,`;
  const blanks = evidence.blanks();
  const counts = [
    ...words.slice(0, SHOWN_WORDS).map((word) => {
      const first = evidence.isAgainst(word) ? `, first in line ${word.line}` : '';
      return `"${shown(word.text)}" (${word.count}${first})`;
    }),
    ...(words.length > SHOWN_WORDS ? [`${words.length - SHOWN_WORDS} other words`] : []),
    ...(blanks > 0 ? [`empty (${blanks})`] : []),
  ];
  const settings = isNamed
    ? settingsFor(field, header, evidence)
    : `give the column a name in the file, and then columns: { ${field}: … }`;
  const message = `no column is mapped as ${field}, and ${name} seems to say who has not completed: ${counts.join(', ')}`;
  const remedy = `say for the source in registrar.yaml what it is: ${settings}; or columns: { ${field}: null } where no column says so`;
  return issueOf('status-unseen', isNamed ? header : null, message, remedy, words[0]?.text ?? null);
}

/** As many words as a sentence bears. */
const SHOWN_WORDS = 8;

/** All settings that the column needs to be read: the field that it is, and its words that are in no vocabulary. */
function settingsFor(field: string, header: string, evidence: StatusEvidence): string {
  const own = `columns: { ${field}: ${JSON.stringify(header).replaceAll('${', '$${')} }`;
  const isReversed = evidence.isReversed();
  const of = (wanted: WordKind) =>
    evidence.words().flatMap(({ kind, text }) => (kind === wanted ? JSON.stringify(shown(text)) : []));
  const blank =
    evidence.blanks() > 0
      ? `, with defaults: { ${field}: ${isReversed ? 'Completed' : 'Not completed'} } for its empty cells`
      : '';
  if (isReversed) {
    const lists = `completed: [${of('no').join(', ')}], notCompleted: [${of('yes').join(', ')}]`;
    return `${own} with status: { ${lists} }${blank}`;
  }
  const [marks, unknown] = [of('mark'), of('unknown').slice(0, 4)];
  const further = [
    ...(marks.length > 0 ? [`status: { completed: [${marks.join(', ')}] }`] : []),
    ...(unknown.length > 0
      ? [`and under status: completed or notCompleted what ${unknown.join(', ')} means`]
      : []),
  ];
  return `${own}${further.length > 0 ? ` with ${further.join(', ')}` : ''}${blank}`;
}
