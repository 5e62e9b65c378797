import type { BooksDocument } from '../documents/report.js';
import type { Report } from './report.js';

/** The report as `run --json` and `report --json` print it; docs/cli-json.md describes it. */
export function renderJson({ keptOutages: _outages, drops: _drops, ...report }: Report): BooksDocument {
  return {
    ...report,
    equations: report.equations.map(({ dropId: _, ...equation }) => equation),
    files: report.files.map(({ isTaken: _taken, sha256: _bytes, header: _header, ...file }) => file),
  };
}
