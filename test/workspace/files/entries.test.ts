import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exists } from '../../../src/workspace/files/entries.js';
import { tempFolder } from '../../support/temp-folder.js';

it.each([
  ['a file', 'file', true],
  ['a link that leads nowhere', 'link', true],
  ['a name that doesn’t exist', 'nothing', false],
  ['a name below a file', join('file', 'below'), false],
  ['a name below a folder that is not there', join('nowhere', 'below'), false],
])('says whether anything is at a path: %s', async (_, name, isThere) => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('nowhere', join(folder, 'link'));
  expect(await exists(join(folder, name))).toBe(isThere);
});
