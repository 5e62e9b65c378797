import { inspectDocument } from '../actions/documents/inspect-document.js';
import { fileNamed } from '../actions/inboxes/with-local-file.js';
import { type Inspected, inspect } from '../actions/inspect.js';
import { issueText } from '../domain/issue.js';
import { cellText } from '../domain/row.js';
import { countOf } from '../domain/text/count-of.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import type { MappedColumn } from '../normalise/mapping/map-field.js';
import { callOf } from '../platform/calls/call-of.js';
import { textTable } from '../report/text/layout.js';
import { presetLines } from '../report/words/preset-words.js';
import { decidingWords, hiddenWords, unreadSheetsText } from '../report/words/sheet-words.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts.js';

export async function answer({
  inputs: [file = ''],
  options: { source, limit, sheet },
  io,
  workspace,
}: Call<typeof look.inspect>): Promise<Answer> {
  const as = source === undefined ? null : { source, workspace: workspace('unused') };
  const inspected = await inspect(fileNamed(file, io.cwd), as, { limit, sheet });
  return {
    document: () => inspectDocument(inspected),
    text: () => textOf(inspected),
    ...(inspected.isDamaged ? { exit: 'attention' as const } : {}),
  };
}

function textOf(inspected: Inspected): string {
  const {
    opened,
    source,
    sheet,
    sheetsLeft,
    header,
    deciding,
    attentionOf,
    rows,
    counts,
    zoneNotes,
    issues,
  } = visibleStrings(inspected);
  const lines = [`${opened.format}, ${opened.identity.bytes} bytes, SHA-256 ${opened.identity.sha256}`];
  if (opened.text) {
    const { encoding, fallback, bom, delimiter, rowEnd } = opened.text;
    lines.push(
      `${encoding}${fallback ? ', which the file doesn’t state (confirm it with encoding: of the source)' : ''}${bom ? ' with byte-order mark' : ''}, delimiter ${JSON.stringify(delimiter)}${rowEnd === null ? '' : `, rows end with ${rowEnd}`}`,
    );
  }
  if (opened.workbook) {
    const others = opened.workbook.sheets.map(({ name, state }) =>
      state === 'visible' ? name : `${name} (${state})`,
    );
    lines.push(`sheet ${sheet ?? '-'} of: ${others.join(', ')}; dates count from ${opened.workbook.epoch}`);
    if (sheetsLeft.length > 0) lines.push(unreadSheetsText(sheetsLeft));
  }
  const { notShown } = callOf(source.operation);
  if (notShown !== undefined) lines.push(`${source.operation}: ${notShown}`);
  if (attentionOf !== null)
    lines.push(`attention file of drop ${attentionOf.split('-')[0]} (${attentionOf})`);
  lines.push(`${countOf(counts.records, 'row')} with content, ${counts.blank} blank`);
  if (counts.hidden > 0) lines.push(hiddenWords(counts.hidden, counts.records));
  lines.push('');
  if (header) {
    const mapped = Object.entries(header.match.mapped).map(([field, column]) => [
      field,
      column.header,
      WHY[column.why],
    ]);
    lines.push(`Header in line ${header.line}`, ...presetLines(header.match));
    lines.push(textTable(['FIELD', 'COLUMN', 'WHY'], mapped));
    if (deciding.length > 0) lines.push(decidingWords(deciding));
    const unused = header.match.unmapped.filter((name) => !deciding.includes(name));
    if (unused.length > 0) lines.push(`not used: ${unused.join(', ')}`);
    lines.push(...zoneNotes.map(({ line, text }) => `zone of times, by line ${line}: ${text}`), '');
  }
  lines.push(
    ...issues.map((issue) => `${issue.code}: ${issueText(issue)}`),
    ...rows.map((row) => `${String(row.line).padStart(6)}  ${row.cells.map(cellText).join(' | ')}`),
  );
  return `${lines.join('\n')}\n`;
}

const WHY: Readonly<Record<MappedColumn['why'], string>> = {
  configured: 'registrar.yaml',
  preset: 'the preset',
  alias: 'a known header',
};
