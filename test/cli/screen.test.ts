import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { columnsOf, fitText, paint, wantsColour } from '../../src/cli/screen.js';

describe('a text on a terminal', () => {
  it('breaks between words and never in an address or a path', () => {
    const path = `/srv/registrar/reports/${'2026-11-22T05-40-47Z-'.repeat(4)}run-12`;
    const text = `Report of the run that took in all that came since yesterday and was told to stop: ${path}\n`;
    const lines = fitText(text, 80).split('\n');
    expect(lines[0]?.length).toBeLessThanOrEqual(80);
    expect(lines).toContain(`  ${path}`);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(`${text.trim()} `);
  });

  it('leaves a command whole, options and all', () => {
    const command =
      'registrar rerun --state rejected,held --reason learner-unknown --run 12 --workspace /srv/registrar';
    const text = `Once a person has resolved the causes: ${command}\n`;
    expect(fitText(text, 80).split('\n')).toContain(`  ${command}`);
    const dismiss =
      'registrar dismiss --state held --reason out-of-order --because TEXT --workspace /srv/registrar-of-campus';
    expect(fitText(`      To take them off this list: ${dismiss}\n`, 80)).toContain(`\n        ${dismiss}\n`);
  });

  it('is unchanged where it fits, blank lines and indents too', () => {
    const text = 'a\n\n  b\n   12 held out-of-order: x\n';
    expect(fitText(text, 80)).toBe(text);
  });

  it.each([
    ['The books balance. 3 rows accepted. Nothing needs attention.', '32'],
    ['The books balance. 3 rows accepted, 1 row needs attention.', '33'],
    ['The books don’t balance: don’t rely on the figures below.', '31'],
    ['    > registrar map', '36'],
    ['registrar: there is no run 4.', '31'],
  ])('has %j in colour %s, and the same words', (text, colour) => {
    const painted = paint(text);
    expect(painted).toContain(`\u001b[${colour}m`);
    expect(stripVTControlCharacters(painted)).toBe(text);
  });

  it('is not coloured with NO_COLOR or where the terminal has no colours', () => {
    expect(wantsColour({ TERM: 'xterm' })).toBe(true);
    expect(wantsColour({ TERM: 'xterm', NO_COLOR: '1' })).toBe(false);
    expect(wantsColour({ TERM: 'xterm', NO_COLOR: '' })).toBe(true);
    expect(wantsColour({ TERM: 'dumb' })).toBe(false);
  });

  it('has 80 columns where the terminal reports no width', () => {
    expect([columnsOf({}), columnsOf({ columns: 0 }), columnsOf({ columns: 132 })]).toEqual([80, 80, 132]);
  });
});
