import { expect, it } from 'vitest';
import { isoFromMs } from '../../../src/domain/clock.js';
import { isAttentionName } from '../../../src/domain/files/attention-columns.js';
import { isResultDue, isResultName, RESULT_FILES, resultName } from '../../../src/domain/files/result.js';

const NOW = { nowMs: 1_000_000_000, withinMs: 86_400_000, backsOff: true };
const at = (ms: number) => isoFromMs(NOW.nowMs + ms);
const RESULT = { publishedAt: at(-1_000), isMoving: false, dueAt: at(-1_000) };

it.each([
  ['once no row of the file waits', {}, true],
  ['not while rows wait to be sent', { isMoving: true }, false],
  ['although rows wait, once the time is up', { isMoving: true, publishedAt: at(-86_400_000) }, true],
  ['not a moment earlier', { isMoving: true, publishedAt: at(-86_399_999) }, false],
  ['at once where the file was refused', { publishedAt: null }, true],
  ['not before the wait after a failure is over', { dueAt: at(1) }, false],
  ['after a wait that was begun before the clock was set back', { dueAt: at(30 * 86_400_000) }, true],
])('a result is due %s', (_, result, isDue) => {
  expect(isResultDue({ ...RESULT, ...result }, NOW)).toBe(isDue);
});

it('a run tries a result that failed again at once', () => {
  expect(isResultDue({ ...RESULT, dueAt: at(1) }, { ...NOW, backsOff: false })).toBe(true);
});

it('the correction workbook is the only file of a result that a source imports', () => {
  const names = RESULT_FILES.map((which) => resultName('march.csv', 12, which));
  expect(names.filter((name) => !isResultName(name))).toEqual(['march.csv.result-12.attention.xlsx']);
  expect(names.filter(isAttentionName)).toEqual(['march.csv.result-12.attention.xlsx']);
  expect(['march.accepted.csv', 'result-1.csv', 'data.json'].filter(isResultName)).toEqual([]);
});
