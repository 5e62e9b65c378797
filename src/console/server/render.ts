import { renderHtml } from '../../report/page/html.js';
import { pageMarkup, type Surroundings } from '../pages/layout.js';
import type { Shown } from '../pages/page.js';
import type { Visit } from '../visits/visit.js';
import { assetPaths } from './assets.js';

/** The page's markup as it is sent, before and after the rest of its content. @param visit null: without a sign-in. */
export function renderShown(
  visit: Visit | null,
  shown: Shown,
  around: Omit<Surroundings, 'assets'>,
): readonly [string, string] {
  const text = renderHtml(pageMarkup(visit, shown, { ...around, assets: assetPaths() }));
  const end = text.lastIndexOf('</main>');
  return [text.slice(0, end), text.slice(end)];
}
