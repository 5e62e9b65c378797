import { expect, it } from 'vitest';
import { renderConfig } from '../../../src/actions/setup/render-config.js';
import { machineTimeZone } from '../../../src/config/values/time-zone.js';
import { guessesIn } from '../../../src/config/yaml/yaml-writer.js';

it('every value that is marked to be confirmed is a guess, whatever quotes are before or around it', () => {
  const yaml = renderConfig({
    sourceName: 'academy',
    answers: { baseUrl: 'https://platform.example', columns: {} },
    sample: {
      fileName: 'confirm: a.csv',
      operation: 'submit-completion',
      preset: { name: 'docebo', title: 'Docebo', has: ['Code'], settings: ['scale: 0-1'] },
      missing: [{ field: 'content-id', reason: 'confirm: none' }],
      columns: [
        { field: 'user-id', header: 'Mail "a"  # confirm: no', reason: 'a known name; confirm: is it?' },
        { field: 'percentile', header: 'Score  # confirm: no', reason: 'a known name' },
      ],
      defaults: [{ field: 'content-type', value: 'course', reason: 'the default value' }],
      settings: [
        { key: 'encoding', value: 'windows-1252', reason: 'confirm: no UTF-8' },
        { key: 'sheet', value: 'May', reason: 'confirm: another has a header too' },
      ],
    },
  });
  expect(guessesIn(yaml).map(({ key, value }) => `${key} ${value}`)).toEqual([
    'authUrl https://platform.example',
    'preset docebo',
    `timeZone ${machineTimeZone()}`,
    'encoding windows-1252',
    'sheet May',
    'user-id Mail "a"  # confirm: no',
  ]);
});
