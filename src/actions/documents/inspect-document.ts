import type { FoundHeader } from '../../normalise/mapping/find-header.js';
import { zoneNamed } from '../../normalise/values/zone-names.js';
import { callOf } from '../../platform/calls/call-of.js';
import { presetDocument } from '../../report/words/preset-words.js';
import type { CheckedFile } from '../check.js';
import type { Inspected } from '../inspect.js';

/** The document of `inspect --json`, which `check --json` extends. */
export function inspectDocument({ opened, source, header, ...inspected }: Inspected) {
  const { sheet, reads, sheetsLeft, attentionOf } = inspected;
  const { sha256, bytes } = opened.identity;
  const { notShown } = callOf(source.operation);
  return {
    drop: { sha256, bytes, format: opened.format },
    ...(notShown === undefined ? {} : { operation: { name: source.operation, notShown } }),
    ...(opened.text ? { text: opened.text } : {}),
    ...(opened.workbook ? { workbook: { ...opened.workbook, sheet, reads, sheetsLeft } } : {}),
    header: header && {
      line: header.line,
      columns: header.columns,
      mapped: mappedColumns(header),
      unmapped: header.match.unmapped,
      deciding: inspected.deciding,
      preset: presetDocument(header.match),
    },
    ...(attentionOf === null ? {} : { attentionOf }),
    rows: inspected.rows.map(({ line, cells, isHidden }) => ({ line, cells, ...(isHidden && { isHidden }) })),
    counts: inspected.counts,
    zoneNotes: inspected.zoneNotes.map(({ line, words, text }) => ({
      line,
      zone: zoneNamed(words, source.zoneNames),
      text,
    })),
    issues: inspected.issues,
  };
}

/** What staging would make of a file, as `check --json` prints it. Personal. */
export function checkDocument(checked: CheckedFile) {
  const { inspected, refused: _refused, sheetsLeft: _sheetsLeft, isClean: _isClean, ...all } = checked;
  return { ...inspectDocument(inspected), ...all };
}

function mappedColumns(header: FoundHeader): Record<string, string> {
  return Object.fromEntries(
    Object.entries(header.match.mapped).map(([field, column]) => [field, column.header]),
  );
}
