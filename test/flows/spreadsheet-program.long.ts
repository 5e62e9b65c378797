// @module-tag soffice
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { tempFolder } from '../support/temp-folder.js';
import { allAreCorrected, threeAreCorrected } from './correction-workbook-trials.js';

it('one correction in a spreadsheet program of all that the workbook lists gets every correctable row imported', async () => {
  await allAreCorrected(savedByLibreOffice);
}, 420_000);

it('a workbook of refused rows, of which a spreadsheet program saves three corrected, sends exactly these three', async () => {
  await threeAreCorrected(savedByLibreOffice);
}, 300_000);

/** The workbook after LibreOffice has opened it and saved it again. */
function savedByLibreOffice(content: ArrayBuffer): Buffer {
  const folder = tempFolder();
  mkdirSync(join(folder, 'saved'));
  writeFileSync(join(folder, 'mended.xlsx'), Buffer.from(content));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const command = ['--headless', profile, '--convert-to', 'xlsx:Calc MS Excel 2007 XML'];
  execFileSync('soffice', [...command, '--outdir', join(folder, 'saved'), join(folder, 'mended.xlsx')], {
    stdio: 'pipe',
    env: { ...process.env, HOME: folder },
  });
  return readFileSync(join(folder, 'saved', 'mended.xlsx'));
}
