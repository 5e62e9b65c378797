import { describe, expect, it } from 'vitest';
import { lineCounter } from '../../../src/intake/text/line-counter.js';

describe('lineCounter', () => {
  it.each([
    [[], 1],
    [['a'], 1],
    [['a\nb'], 2],
    [['a\r\nb\rc\n'], 4],
    [['a\r', '\nb'], 2],
    [['a\r', 'b'], 2],
    [['a\r', '', '\nb'], 2],
    [['a\n', '\nb'], 3],
  ])('is on the right line after %j', (texts, line) => {
    const counter = lineCounter();
    for (const text of texts) counter.add(text);
    expect(counter.line()).toBe(line);
  });

  it.each([
    [[], 1],
    [['ab'], 3],
    [['ab', 'c'], 4],
    [['ab\nc', 'é'], 3],
    [['ab\r'], 1],
    [['ab\r', '\n', 'é'], 2],
  ])('is in the right column after %j', (texts, column) => {
    const counter = lineCounter();
    for (const text of texts) counter.add(text);
    expect(counter.column()).toBe(column);
  });
});
