import { expect, it } from 'vitest';
import { renderConfig } from '../../../src/actions/setup/render-config.js';
import { guessesIn } from '../../../src/config/yaml/yaml-writer.js';

it('every value that is marked to be confirmed is a guess, whatever stands in quotes before or around it', () => {
  const yaml = renderConfig({
    sourceName: 'academy',
    timeZone: 'Etc/GMT+2',
    given: { baseUrl: 'https://platform.example', noColumn: [] },
    sample: {
      fileName: 'confirm: a.csv',
      operation: 'submit-completion',
      preset: { name: 'docebo', title: 'Docebo', has: ['Code'], settings: ['scale: 0-1'], timeZone: null },
      missing: [{ field: 'content-id', reason: 'confirm: none' }],
      columns: [
        { field: 'user-id', header: 'Mail "a"  # confirm: no', reason: 'a known name; confirm: is it?' },
        { field: 'percentile', header: 'Score  # confirm: no', reason: 'a known name' },
      ],
      defaults: [{ field: 'content-type', value: 'course', reason: 'the usual value' }],
      noDate: { header: 'Done', rows: 1, of: 2 },
      encoding: { value: 'windows-1252', reason: 'confirm: no UTF-8' },
      settings: [{ key: 'datePatterns', value: ['X', 'x'], reason: 'confirm: plain numbers' }],
      deciding: [],
      unmapped: [{ header: 'confirm: x', reason: 'confirm: y' }],
    },
  });
  expect(guessesIn(yaml).map(({ key, value }) => `${key} ${value}`)).toEqual([
    'authUrl https://platform.example',
    'preset docebo',
    'timeZone Etc/GMT+2',
    'noDate skipped',
    'encoding windows-1252',
    'datePatterns [X, x]',
    'user-id Mail "a"  # confirm: no',
  ]);
});
