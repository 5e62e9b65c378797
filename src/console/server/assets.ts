import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';
import { PAGE_STYLE, styleSheet } from '../../report/page/style.js';

interface Asset {
  readonly content: string;
  readonly type: string;
  /** With the content's hash, so that a browser may keep it for ever. */
  readonly path: string;
}

const assets = once(() => ({
  style: assetOf('console', 'css', 'text/css; charset=utf-8', PAGE_STYLE + styleSheet('console')),
  script: assetOf(
    'console',
    'js',
    'text/javascript; charset=utf-8',
    readFileSync(new URL('data/console/console.js', INSTALLATION), 'utf8'),
  ),
  icon: assetOf(
    'icon',
    'svg',
    'image/svg+xml',
    readFileSync(new URL('data/console/icon.svg', INSTALLATION), 'utf8'),
  ),
}));

export function assetPaths() {
  const { style, script, icon } = assets();
  return { style: style.path, script: script.path, icon: icon.path };
}

/** Serves them without a sign-in: nothing in them is secret. */
export function assetRoutes(): Hono {
  const app = new Hono();
  for (const { path, content, type } of Object.values(assets())) {
    app.get(path.replace('/assets', ''), (c) =>
      c.body(content, 200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }),
    );
  }
  return app;
}

function assetOf(name: string, ending: string, type: string, content: string): Asset {
  const digest = hash('sha256', content, 'hex').slice(0, 16);
  return { content, type, path: `/assets/${name}-${digest}.${ending}` };
}
