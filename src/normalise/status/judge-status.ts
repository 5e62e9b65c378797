import { type Issue, issueOf } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import type { Field } from '../../operations/operation.js';
import { fieldOf, type TableRules } from '../mapping/find-header.js';
import type { RowWatch } from '../profile/profile.js';
import { issueFor, quotedYaml, refuseFor, remembering, shown } from '../values/reading.js';
import { readStatus, statusVocabulary } from '../values/status.js';
import { isEmptyValue } from '../values/trim-text.js';
import { columnJudges, decidingColumns, freeColumns, type StatusJudgement } from './judge-columns.js';
import { createStatusEvidence, type StatusEvidence, type WordKind } from './status-evidence.js';

/** The judge of rows by their status and by the columns that decide beside it. null: none says anything against the row. */
export function createStatusJudge(rules: TableRules): (row: Row) => StatusJudgement | null {
  const judges = [createFirstJudge(rules), ...columnJudges(decidingColumns(rules), rules.source.status)];
  return (row) => {
    const issues: Issue[] = [];
    for (const judge of judges) {
      const verdict = judge(row);
      if (verdict?.isSkipped) return verdict;
      if (verdict) issues.push(...verdict.issues);
    }
    return issues.length === 0 ? null : { issues, isSkipped: false };
  };
}

function createFirstJudge(rules: TableRules): (row: Row) => StatusJudgement | null {
  const { source } = rules;
  const { name, index, label } = fieldOf('status', rules);
  const otherwise = name === null ? null : (source.defaults[name] ?? null);
  if (index === -1 && otherwise === null) return () => null;
  const context = { column: label, vocabulary: statusVocabulary(source.status) };
  const read = remembering((cell: Cell | undefined) => readStatus(cell, context));

  return (row) => {
    const own = index === -1 ? null : row.cells[index];
    const cell = isBlankCell(own) ? otherwise : own;
    const reading = read(cell);
    if ('issue' in reading) return { issues: [reading.issue], isSkipped: false };
    if (reading.value === 'completed') return null;
    if (reading.value === null) return { issues: [issueFor('status-empty', label)], isSkipped: false };
    if (reading.value === 'not-completed')
      return { issues: [refuseFor('not-completed', label, cell).issue], isSkipped: true };
    return source.status.exempt === 'completed'
      ? null
      : { issues: [refuseFor('exempt', label, cell).issue], isSkipped: true };
  };
}

/**
 * The judge of rows without a date of completion, for a source whose rows without one are people who have not completed. null: there
 * is a date, readable or not, or a status decides.
 */
export function createNoDateJudge(rules: TableRules): (row: Row) => Issue | null {
  const { operation, source, header } = rules;
  const dated = operation.fields.find(({ kind, required }) => kind === 'timestamp' && required);
  const date = dated && header.match.mapped[dated.name];
  if (!date || source.noDate !== 'skipped' || source.defaults[dated.name] !== undefined) return () => null;
  const { index: status } = fieldOf('status', rules);
  return ({ cells }) => {
    const cell = cells[date.index];
    if (!isEmptyValue(cell) || (status !== -1 && !isBlankCell(cells[status]))) return null;
    const value = isBlankCell(cell) ? null : shown(cellText(cell));
    const what = value === null ? 'is empty' : `"${value}" means no value`;
    return issueFor('date-empty', date.header, { what }, value);
  };
}

/** The remedy for rows without a value of this field, where it is more than to fill it in; null: none. */
export function noDateRemedy(field: Field, rules: TableRules): string | null {
  if (field.kind !== 'timestamp') return null;
  const otherwise =
    fieldOf('status', rules).index === -1
      ? '; or, where the file lists people who have not completed as well, say that rows without a date are those: noDate: skipped for the source in registrar.yaml'
      : '';
  return `fill it in the file${otherwise}`;
}

/** Where nothing gives the status, one question for each free column: whether its values say that some have not completed. */
export function watchStatus(rules: TableRules): readonly RowWatch[] {
  const status = undeclaredStatus(rules);
  if (status === null) return [];
  const judged = new Set(decidingColumns(rules).map(({ index }) => index));
  const learner = fieldOf('learner', rules).index;
  return freeColumns(rules).flatMap(({ index, header }) => {
    const evidence = createStatusEvidence(header, rules.source.status);
    return judged.has(index) ? [] : [watch(index, learner, header, status.name, evidence)];
  });
}

/** The operation's status field, where neither a column nor the source gives it; else null. */
export function undeclaredStatus({ operation, source, header: { match } }: TableRules): Field | null {
  const status = operation.fields.find(({ kind }) => kind === 'status');
  if (!status || match.mapped[status.name] || match.ambiguous.includes(status.name)) return null;
  const isDeclared = source.columns[status.name] !== undefined || source.defaults[status.name] !== undefined;
  return isDeclared ? null : status;
}

function watch(
  index: number,
  learnerIndex: number,
  header: string,
  field: string,
  evidence: StatusEvidence,
): RowWatch {
  return {
    add: ({ cells, line }) => {
      const cell: Cell | undefined = cells[index];
      if (!isBlankCell(cell)) evidence.add(cell, line);
      // In a row that names no learner, as a note or a row below the data, an empty cell says nothing.
      else if (learnerIndex === -1 || !isBlankCell(cells[learnerIndex])) evidence.addBlank();
    },
    asksForAll: evidence.isAsked,
    result: () => (evidence.isAsked() ? { issues: [unseenStatus(field, header, index, evidence)] } : {}),
  };
}

function unseenStatus(field: string, header: string, index: number, evidence: StatusEvidence): Issue {
  const words = evidence.words();
  const isNamed = header.trim() !== '';
  const name = isNamed ? `"${shown(header)}"` : `column ${index + 1}, which has no name,`;
  const counts = words.slice(0, SHOWN_WORDS).map((word) => {
    const first = evidence.isAgainst(word) ? `, first in line ${word.line}` : '';
    return `"${shown(word.text)}" (${word.count}${first})`;
  });
  if (evidence.blanks() > 0) counts.push(`empty (${evidence.blanks()})`);
  const listOf = (wanted: WordKind) =>
    words.flatMap(({ kind, text }) => (kind === wanted ? JSON.stringify(shown(text)) : [])).join(', ');
  // Each row reports another word that is not known; a yes would be read as completed.
  const reversed = evidence.isReversed()
    ? ` with status: { completed: [${listOf('no')}], notCompleted: [${listOf('yes')}] }`
    : '';
  const settings = isNamed
    ? `columns: { ${field}: ${quotedYaml(header)} }${reversed}`
    : `give the column a name in the file, and then columns: { ${field}: … }`;
  const message = `no column is mapped as ${field}, and ${name} seems to say who has not completed: ${counts.join(', ')}`;
  const remedy = `say for the source in registrar.yaml what it is: ${settings}; or columns: { ${field}: null } where no column says so`;
  return issueOf('status-unseen', isNamed ? header : null, message, remedy, words[0]?.text ?? null);
}

/** As many words as a sentence bears. */
const SHOWN_WORDS = 8;
