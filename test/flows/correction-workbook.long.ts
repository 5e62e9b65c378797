import { it } from 'vitest';
import { allAreCorrected, threeAreCorrected } from './correction-workbook-trials.js';

const asItIs = (workbook: ArrayBuffer) => Buffer.from(workbook);

it('one correction of all that the workbook lists gets every correctable row imported', async () => {
  await allAreCorrected(asItIs);
}, 420_000);

it('a workbook of refused rows, of which three are corrected, sends exactly these three', async () => {
  await threeAreCorrected(asItIs);
}, 300_000);
