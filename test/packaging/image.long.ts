import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildImage } from '../support/image-build.js';
import { tempFolder } from '../support/temp-folder.js';

it('the image, with all that npm installs and compiles for it, delivers the demo as its user', async () => {
  const folder = tempFolder();
  // This machine has what Debian's packages would bring, or `npm ci` fails.
  const image = await buildImage(folder, { 'apt-get update': () => {} });
  const modules = join(image.root, 'app/node_modules');
  expect(existsSync(join(modules, 'typescript'))).toBe(false);
  const demo = await image.run(['registrar', 'demo'], { TMPDIR: join(image.root, 'workspace') });
  expect(demo.stdout).toContain('The books balance. 35 rows accepted, 12 rows need attention.');
  expect(demo.code).toBe(0);
});
