import { hash } from 'node:crypto';
import { Hono } from 'hono';
import { once } from '../../domain/process/once.js';
import { consoleFile, PAGE_STYLE } from '../../report/page/style.js';

export const assets = once(() => ({
  style: assetOf('console.css', 'text/css; charset=utf-8', PAGE_STYLE),
  script: assetOf('console.js', 'text/javascript; charset=utf-8'),
  icon: assetOf('icon.svg', 'image/svg+xml'),
}));

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

/** A file of data/console/, with `before` in front of it. Its path has the content's hash, so that browsers may cache it forever. */
function assetOf(name: string, type: string, before = '') {
  const content = before + consoleFile(name);
  const digest = hash('sha256', content, 'hex').slice(0, 16);
  return { content, type, path: `/assets/${name.replace('.', `-${digest}.`)}` };
}
