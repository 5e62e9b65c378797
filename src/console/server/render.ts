import { html, renderHtml } from '../../report/page/html.js';
import { layout } from '../pages/layout.js';
import type { Shown } from '../pages/page.js';
import type { Visit } from '../visits/visit.js';
import { assetPaths } from './assets.js';

/** A page's markup as it is sent. @param visit null: for somebody who isn't known. */
export function renderShown(visit: Visit | null, shown: Shown): string {
  return renderHtml(html`<!doctype html>
${layout(visit, shown, assetPaths())}`);
}
