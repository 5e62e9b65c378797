import { describe, expect, it } from 'vitest';
import {
  describeSelection,
  readSelection,
  recordedSelection,
  rowNamed,
  type Selection,
} from '../../src/domain/selection.js';

const DISMISSABLE = {
  done: 'dismissed',
  states: ['waiting', 'rejected', 'held', 'invalid'],
  usual: ['rejected', 'held', 'invalid'],
  instead: { accepted: 'It is at the platform.' },
} as const;

const read = (value: unknown) => readSelection(value, DISMISSABLE);

function sound(value: unknown): Selection {
  const found = read(value);
  if ('mistakes' in found) throw new Error(JSON.stringify(found.mistakes));
  return found.selection;
}

describe('a selection', () => {
  it('means the usual states where none is named, and narrows by nothing else that is absent or null', () => {
    expect(sound({ all: true })).toEqual({
      states: ['rejected', 'held', 'invalid'],
      cause: null,
      learner: null,
      content: null,
      file: null,
      run: null,
      since: null,
      until: null,
      rows: null,
    });
    expect(sound({ run: 3, cause: null })).toEqual({ ...sound({ all: true }), run: 3 });
  });

  it('reads days as their first moment and times in any zone', () => {
    expect(sound({ since: '2026-03-02', until: '2026-03-02T10:00:00+02:00' })).toMatchObject({
      since: '2026-03-02T00:00:00.000Z',
      until: '2026-03-02T08:00:00.000Z',
    });
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'has no state %s, although every object does',
    (state) => {
      expect(read({ states: [state] })).toEqual({
        mistakes: [
          {
            field: 'states',
            problem: `"${state}" can't be dismissed`,
            hint: 'States that can: waiting, rejected, held, invalid.',
          },
        ],
      });
    },
  );

  it('is refused for all of its mistakes at once, each with the field, the value and what to do', () => {
    const wrong = { states: ['sleeping', 'accepted'], run: -1, since: 'monday', rows: ['x'], colour: 'red' };
    expect(read(wrong)).toEqual({
      mistakes: [
        {
          field: 'colour',
          problem: 'is not a field of a selection',
          hint: expect.stringContaining('states, cause'),
        },
        {
          field: 'states',
          problem: `"sleeping" can't be dismissed`,
          hint: 'States that can: waiting, rejected, held, invalid.',
        },
        { field: 'states', problem: `"accepted" can't be dismissed`, hint: 'It is at the platform.' },
        { field: 'run', problem: `-1 can't be read`, hint: 'It is the number of a run.' },
        { field: 'since', problem: `"monday" can't be read`, hint: expect.stringContaining('2026-03-02') },
        {
          field: 'rows',
          problem: `"x" can't be read`,
          hint: expect.stringContaining('completions.csv:217'),
        },
      ],
    });
  });

  it.each([[{}], [{ all: false }], [null], [[]], ['rejected'], [{ states: [] }], [{ constructor: 1 }]])(
    'is not %j',
    (value) => expect(read(value)).toHaveProperty('mistakes'),
  );

  it('is described as rows, without the learner', () => {
    expect(describeSelection(sound({ states: ['held'] }))).toBe('held rows');
    expect(
      describeSelection(sound({ cause: 'canary', learner: 'ada@example.com', run: 3, rows: [1, 2] })),
    ).toBe('rejected, held and invalid rows with the cause canary of one learner of run 3 named one by one');
  });

  it('is recorded without anything personal: a learner by hashes, a line by its drop', () => {
    const selection = sound({ learner: 'ada@example.com', rows: [17, 'ada.csv:2'], content: 'C-1' });
    const recorded = recordedSelection(selection, ['0af1'], [{ dropId: 3, line: 2 }]);
    expect(recorded).toEqual({
      states: ['rejected', 'held', 'invalid'],
      content: 'C-1',
      learners: ['0af1'],
      rows: [17, '3:2'],
    });
    expect(JSON.stringify(recorded)).not.toContain('@');
  });
});

it.each([
  [17, 17],
  ['17', 17],
  ['#17', 17],
  ['3:217', { file: '3', line: 217 }],
  ['completions.csv:217', { file: 'completions.csv', line: 217 }],
  ['a:b.csv:2', { file: 'a:b.csv', line: 2 }],
  ['book.xlsx#Sheet 1:2', { file: 'book.xlsx#Sheet 1', line: 2 }],
  ['', null],
  [':2', null],
  ['a.csv:', null],
  [-1, null],
  [1.5, null],
])('%j names the row %j', (text, row) => {
  expect(rowNamed(text)).toEqual(row);
});
