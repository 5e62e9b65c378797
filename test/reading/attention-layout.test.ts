import { describe, expect, it } from 'vitest';
import { attentionLayout, correctionSheet } from '../../src/reading/correction-file.js';

const layoutOf = (columns: readonly string[], header: readonly string[]) =>
  attentionLayout(columns, 1, header, 'a.csv');

describe('the columns of a corrected attention file', () => {
  it.each<[string, string[], string[], number[]]>([
    ['in their order', ['A', 'B', '_row', '_state', '_drop'], ['A', 'B'], [0, 1]],
    ['in another order, between ours', ['_drop', 'B', '_row', 'A'], ['A', 'B'], [3, 1]],
    ['twice of one name', ['A', 'A', '_row', '_drop'], ['A', 'A'], [0, 1]],
    ['without a name', ['A', '', 'B', '_row', '_drop'], ['A', '', 'B'], [0, 1, 2]],
    ['called like one of ours', ['A', '_status', '_row', '_status', '_drop'], ['A', '_status'], [0, 1]],
    ['called like a formula', ["'=A", '_row', '_drop'], ['=A'], [0]],
    ['with blanks around them', [' A ', '_row', '_drop '], ['A'], [0]],
    ['behind what is wrong', ['What is wrong', 'What to do', 'A', '_row', '_drop'], ['A'], [2]],
    [
      'named like the columns before them',
      ['What is wrong (Registrar)', 'What to do', 'What is wrong', '_row', '_drop'],
      ['What is wrong'],
      [2],
    ],
  ])('are found %s', (_, columns, header, originals) => {
    expect(layoutOf(columns, header)).toMatchObject({ originals, extrasFrom: columns.length });
  });

  it.each<[string, string[], string[], string]>([
    ['missing', ['A', '_row', '_drop'], ['A', 'B'], 'missing: "B"'],
    ['renamed', ['A', 'C', '_row', '_drop'], ['A', 'B'], 'missing: "B"; not in the original: "C"'],
    ['added', ['A', 'Note', '', '_row', '_drop'], ['A'], 'not in the original: "Note", one without a name'],
    ['in other letters', ['a', '_row', '_drop'], ['A'], 'missing: "A"; not in the original: "a"'],
    ['of ours twice', ['A', '_row', '_drop', '_drop'], ['A'], 'not in the original: "_drop"'],
  ])('are refused with the difference when one is %s', (_, columns, header, difference) => {
    const message = expect.stringMatching(new RegExp(`: ${difference}$`));
    expect(layoutOf(columns, header)).toMatchObject({
      kind: 'refused',
      issues: [{ code: 'attention-columns-changed', message }],
    });
  });
});

describe('an attention file', () => {
  const row = (line: number, ...cells: string[]) => ({ line, cells });

  it('is known by its header, at any of the first lines, and by the marks below', () => {
    const rows = [
      row(1, 'my notes'),
      row(3, '_drop', 'A', '_row'),
      row(4, '', 'x', '2'),
      row(5, `1-${'ab'.repeat(6)}`),
    ];
    expect(correctionSheet(rows, 'Sheet 1')).toEqual({
      of: 'rows',
      sheet: 'Sheet 1',
      headerLine: 3,
      columns: ['_drop', 'A', '_row'],
      marks: ['1-abababababab'],
    });
  });

  it('shows the right addresses of learners by their mark and the column to fill in', () => {
    const rows = [row(1, 'Learner', 'Right address', '_learner'), row(2, 'a@b.c', '', 'ab'.repeat(16))];
    expect(correctionSheet(rows, 'Learners')).toMatchObject({ of: 'learners', headerLine: 1 });
    expect(correctionSheet([row(1, 'Learner', 'Right address')], 'Learners')).toBeNull();
  });

  it('is not recognised without both columns, and has no mark where no row names a drop', () => {
    expect(correctionSheet([row(1, 'A', '_row')], null)).toBeNull();
    expect(correctionSheet([], null)).toBeNull();
    expect(correctionSheet([row(1, '_row', '_drop'), row(2, '2', 'one')], null)).toMatchObject({
      marks: [],
    });
  });
});
