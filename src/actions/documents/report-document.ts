import { renderJson } from '../../report/render-json.js';
import type { Reported } from '../report.js';

/** A report as `report --json` prints it. */
export function reportDocument({ report, kept }: Reported) {
  return { ...renderJson(report), reportFolder: kept?.folder ?? null };
}
