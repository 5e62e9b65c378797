import { DISMISSABLE, RERUNNABLE } from '../../../actions/rows/selectable.js';
import type { Remedy, RowsToTreat } from '../../../domain/remedy.js';
import { readSelection, type Selectable } from '../../../domain/selection.js';
import { selectionQuery } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { commandLine } from '../../../report/text/command-line.js';
import { hrefOf } from '../../work/visit.js';

/** A remedy as something to press, which leads to its plan; as a command where no page of the console does it. */
export function remedyLink(remedy: Remedy): Html {
  switch (remedy.action) {
    case 'rerun':
      return button(rowsHref('/decide/rerun', remedy.selection, RERUNNABLE), 'Retry');
    case 'dismiss':
      return 'drop' in remedy
        ? button(`/decide/dismiss?drop=${remedy.drop}`, 'Dismiss')
        : button(rowsHref('/decide/dismiss', remedy.selection, DISMISSABLE), 'Dismiss');
    case 'map':
      return button('/learners', 'Map learners');
    case 'restage':
      return button(`/decide/restage?drop=${remedy.drop}`, `Re-read drop ${remedy.drop}`);
    default:
      return html`<code>${commandLine(remedy)}</code>`;
  }
}

function button(href: string, text: string): Html {
  return html`<a class="button second-choice" href="${href}">${text}</a>`;
}

function rowsHref(path: string, rows: RowsToTreat, selectable: Selectable): string {
  const read = readSelection(rows, selectable);
  return hrefOf({ path, query: 'selection' in read ? selectionQuery(read.selection, selectable) : {} });
}
