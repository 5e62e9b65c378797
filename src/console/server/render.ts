import { renderHtml } from '../../report/page/html.js';
import { pageMarkup, type Surroundings } from '../pages/layout.js';
import type { Shown } from '../pages/page.js';
import type { Visit } from '../visits/visit.js';
import { assetPaths } from './assets.js';

/** The page's markup as it is sent. @param visit null: without a sign-in. */
export function renderShown(visit: Visit | null, shown: Shown, around: Omit<Surroundings, 'assets'>): string {
  return renderHtml(pageMarkup(visit, shown, { ...around, assets: assetPaths() }));
}
