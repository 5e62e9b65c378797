import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readStatus, statusVocabulary } from '../../../src/normalise/values/status.js';

const read = (cell: Cell, own: { completed?: string[]; notCompleted?: string[] } = {}) =>
  readStatus(cell, {
    column: 'Status',
    vocabulary: statusVocabulary({ completed: [], notCompleted: [], ...own }),
  });

describe('a status word means', () => {
  test.each<[Cell, string]>([
    ['Completed', 'completed'],
    [' COMPLETED\u00a0', 'completed'],
    ['COURSE_COMPLETE', 'completed'],
    ['Completed (Equivalent)', 'completed'],
    ['Completed (achieved pass grade)', 'completed'],
    ['passed', 'completed'],
    ['Yes', 'completed'],
    ['y', 'completed'],
    [true, 'completed'],
    [1, 'completed'],
    ['bestanden', 'completed'],
    ['Terminé', 'completed'],
    ['Ｃｏｍｐｌｅｔｅｄ', 'completed'],
    ['Teilgenommen', 'completed'],
    ['Réussie', 'completed'],
    ['Re\u0301ussi', 'completed'],
    ['Sí', 'completed'],
    ['Finalizada', 'completed'],
    ['In Bearbeitung', 'not-completed'],
    ['Nicht bestanden', 'not-completed'],
    ['En cours', 'not-completed'],
    ['Échoué', 'not-completed'],
    ['Sin iniciar', 'not-completed'],
    ['Reprobado', 'not-completed'],
    ['Befreit', 'exempt'],
    ['In Progress', 'not-completed'],
    ['in-progress', 'not-completed'],
    ['IN_PROGRESS', 'not-completed'],
    ['Not Started', 'not-completed'],
    ['Not completed', 'not-completed'],
    ['No Show', 'not-completed'],
    ['Failed', 'not-completed'],
    ['Past  Due', 'not-completed'],
    [false, 'not-completed'],
    [0, 'not-completed'],
    ['Exempt', 'exempt'],
    ['Waived', 'exempt'],
    ['Equivalency', 'exempt'],
    ['Gleichwertig', 'exempt'],
    ['Expired', 'exempt'],
    ['修了', 'completed'],
    ['未修了', 'not-completed'],
    ['完了', 'completed'],
    ['未完了', 'not-completed'],
    ['合格', 'completed'],
    ['不合格', 'not-completed'],
    ['受講済み', 'completed'],
    ['受講中', 'not-completed'],
    ['Erfolgreich abgeschlossen', 'completed'],
    ['Durchgefallen', 'not-completed'],
    ['Validé', 'completed'],
    ['Non validé', 'not-completed'],
    ['Superado', 'completed'],
    ['No superado', 'not-completed'],
    ['Completato', 'completed'],
    ['Non completato', 'not-completed'],
    ['Concluído', 'completed'],
    ['Não concluído', 'not-completed'],
    ['Voltooid', 'completed'],
    ['Niet voltooid', 'not-completed'],
  ])('%j: %s', (cell, meaning) => {
    expect(read(cell)).toEqual({ value: meaning });
  });
});

test('a source’s own words come on top and override', () => {
  expect(read('Abgehakt', { completed: ['abgehakt'] })).toEqual({ value: 'completed' });
  expect(read('Wartet noch', { notCompleted: ['Wartet-Noch'] })).toEqual({ value: 'not-completed' });
  expect(read('Approved', { completed: ['approved'] })).toEqual({ value: 'completed' });
});

test.each<[Cell]>([
  ['Perhaps'],
  ['uncompleted'],
  [7],
  [{ date: '2024-03-01T00:00:00.000' }],
  [{ percent: 100 }],
])('%j is not assumed to be completed', (cell) => {
  expect(read(cell)).toMatchObject({ issue: { code: 'status-unknown', column: 'Status' } });
});

test('the issue of an unknown word has the line for registrar.yaml', () => {
  const reading = read('Abgehakt');
  expect('issue' in reading && reading.issue.remedy).toContain('status: { completed: ["Abgehakt"] }');
});

test.each([null, '', ' '])('%j is an empty status', (cell) => {
  expect(read(cell)).toEqual({ value: null });
});
