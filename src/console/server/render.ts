import { renderHtml } from '../../report/page/html.js';
import { pageMarkup } from '../pages/layout.js';
import type { Shown } from '../pages/page.js';
import type { Visit } from '../visits/visit.js';
import { assetPaths } from './assets.js';

/** The page's markup as it is sent. @param visit null: without a sign-in. */
export function renderShown(visit: Visit | null, shown: Shown): string {
  return renderHtml(pageMarkup(visit, shown, assetPaths()));
}
