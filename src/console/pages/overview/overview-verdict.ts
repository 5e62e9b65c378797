import type { QueryResult } from '../../../actions/browse/queries.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { type Html, html, joined } from '../../../report/page/html.js';
import { verdictHtml } from '../../../report/page/section-html.js';
import { plainText } from '../../../report/sections/section.js';
import { needing, UNBALANCED } from '../../../report/sections/verdict.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { when } from '../parts/when.js';

export type Overview = QueryResult<'overview'>;

export function overviewVerdict(found: Overview): Html {
  const { verdict, at } = found;
  const content = html`<p class="headline">${headline(found)}</p>
<p class="second">${verdict === 'unbalanced' ? html`The books don’t balance${unbalanced(found)}.` : 'The books balance: every row read is accounted for.'} ${work(found)} <small>Read ${when(at)}. <a href="/report">Full check</a></small></p>`;
  return verdictHtml(verdict, content);
}

function headline({ verdict, attention, unmatched, environments, health: { findings } }: Overview): string {
  const rows = environments.reduce((sum, { estimate }) => sum + estimate.rows, 0);
  const wait = rows === 0 ? '' : ` · ${numberText(rows)} waiting`;
  switch (verdict) {
    case 'unbalanced':
      return UNBALANCED;
    case 'failed':
      return firstOf(findings.filter(({ state }) => state === 'failed'));
    case 'attention':
      if (attention.rows + attention.files > 0) return `${plainText(needing(attention))}${wait}`;
      return findings.length > 0
        ? firstOf(findings)
        : `${counted(unmatched.length, 'file')} not imported${wait}`;
    case 'waiting':
      return `${counted(rows, 'row')} waiting. Nothing needs attention.`;
    case 'nothing':
      return 'No files yet.';
    case 'well':
      return 'All rows were delivered. Nothing needs attention.';
  }
}

function firstOf([first, ...others]: Overview['health']['findings']): string {
  const more = others.length === 0 ? '' : ` And ${numberText(others.length)} more.`;
  return `${first?.message ?? ''}${more}`;
}

function unbalanced({ unbalancedDrops }: Overview): Html {
  if (unbalancedDrops.length === 0) return html``;
  return html` in ${joined(unbalancedDrops.map(({ dropId, file }) => html`<a href="/files/${dropId}"><bdi>${file}</bdi></a>`))}`;
}

function work({ work: { isImporting, openDecisions, isRestoring }, environments }: Overview): Html {
  const delivering = environments
    .filter(({ pushedBy }) => pushedBy !== null)
    .map(({ environment }) => environment);
  return html`${isImporting ? 'A file is being imported. ' : ''}${
    delivering.length === 0 ? '' : `Rows are being delivered to ${delivering.join(', ')}. `
  }${
    openDecisions === 0
      ? ''
      : `${counted(openDecisions, 'decision')} ${agreeing(openDecisions, 'is', 'are')} not complete. `
  }${isRestoring ? 'A backup was restored: finish the restore.' : ''}`;
}
