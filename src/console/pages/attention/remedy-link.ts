import type { Remedy } from '../../../domain/remedy.js';
import { type Html, html } from '../../../report/page/html.js';
import { commandLine } from '../../../report/text/command-line.js';
import { hrefOf } from '../../work/visit.js';

/** A remedy as something to press, which leads to its plan; as a command where no page of the console does it. */
export function remedyLink(remedy: Remedy): Html {
  switch (remedy.action) {
    case 'rerun':
      return button('/decide/rerun', remedy.selection, 'Rerun');
    case 'dismiss':
      return button(
        '/decide/dismiss',
        'drop' in remedy ? { drop: remedy.drop } : remedy.selection,
        'Dismiss',
      );
    case 'map':
      return button('/learners', {}, 'Map learners');
    case 'restage':
      return button('/decide/restage', { drop: remedy.drop }, `Re-read drop ${remedy.drop}`);
    default:
      return html`<code>${commandLine(remedy)}</code>`;
  }
}

function button(path: string, rows: object, text: string): Html {
  const query = Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, String(value)]));
  return html`<a class="button second-choice" href="${hrefOf({ path, query })}">${text}</a>`;
}
