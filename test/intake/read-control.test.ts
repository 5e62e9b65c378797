import { describe, expect, it } from 'vitest';
import { parseControl, readControl } from '../../src/intake/read-control.js';
import { writeDrop } from '../support/open-content.js';

const HASH = 'AB'.repeat(32);

describe('a control file', () => {
  it.each<[string, number, string | null]>([
    ['1234', 1234, null],
    ['\ufeff 1234\r\n', 1234, null],
    ['0', 0, null],
    ['rows=1234', 1234, null],
    ['ROWS: 1234', 1234, null],
    [`file=a.csv\nrows = 12\nsha256 = ${HASH}\n`, 12, HASH.toLowerCase()],
    ['{"rows": 7}', 7, null],
    [`{"file": "a.csv", "rows": "7", "sha256": "${HASH}"}`, 7, HASH.toLowerCase()],
  ])('%j says how many rows there are', (text, rows, sha256) => {
    expect(parseControl(text)).toEqual({ rows, sha256 });
  });

  it.each([
    '',
    'done',
    '-1',
    '12.5',
    '1,234',
    '12 13',
    'rows=1\nrows=2',
    'rows=',
    'rows=many',
    'count=5',
    '{"rows": -1}',
    '{"rows": 1.5}',
    '{"rows": 7',
    '[7]',
    'rows=7\nsha256=abc',
    '{"rows": 7, "sha256": null}',
    '1234567890123',
  ])('%j says nothing that can be relied on', (text) => {
    expect(parseControl(text)).toBeNull();
  });

  it('that says nothing, or is far too long, is refused with its name and what it must hold', async () => {
    for (const text of ['done', `${'1\n'.repeat(40_000)}`]) {
      await expect(readControl(writeDrop(text), 'a.csv.done')).rejects.toMatchObject({
        message: 'a.csv.done does not say how many rows its file has.',
        exit: 'attention',
      });
    }
  });
});
