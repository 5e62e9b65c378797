import { describe, expect, it } from 'vitest';
import { unescapeText } from '../../../src/intake/workbook/rich-text.js';

describe('unescapeText', () => {
  it.each([
    ['a_x000D_\nb', 'a\r\nb'],
    ['tab_x0009_tab', 'tab\ttab'],
    ['_x005F_x000D_', '_x000D_'],
    ['_x00e9_', 'é'],
    ['_x0000_', '_x0000_'],
    ['_xD83D_', '_xD83D_'],
    ['_x12_', '_x12_'],
    ['max_xfer_x', 'max_xfer_x'],
  ])('reads %j as %j', (text, expected) => {
    expect(unescapeText(text)).toBe(expected);
  });
});
