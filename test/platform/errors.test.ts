import { expect, it } from 'vitest';
import { parseError } from '../../src/platform/errors.js';

const NOTHING = { id: null, code: null, title: null, detail: null, source: null };

it.each<[unknown, unknown]>([
  [
    { errors: [{ id: 'e', code: 'c', status: 400, title: 't', detail: 'd', source: 's' }] },
    { id: 'e', code: 'c', title: 't', detail: 'd', source: 's' },
  ],
  [{ errors: [{ code: 'c' }, { code: 'second' }] }, { ...NOTHING, code: 'c' }],
  [{ errors: [{ id: 17, status: '400', detail: null, title: '' }] }, { ...NOTHING, id: '17' }],
  [{ errors: [{ source: { pointer: '/data' } }] }, { ...NOTHING, source: '{"pointer":"/data"}' }],
  [{ errors: { code: 'c' } }, { ...NOTHING, code: 'c' }],
  [{ errors: ['it broke'] }, { ...NOTHING, detail: 'it broke' }],
  [{ errors: [{}] }, NOTHING],
  [{ errors: [] }, null],
  [{ errors: [null] }, null],
  [{ errors: [[1]] }, null],
  [{ errors: 17 }, null],
  [{ error: 'invalid_client' }, null],
  [[{ code: 'c' }], null],
  [null, null],
  [undefined, null],
  ['text', null],
])('%j', (body, expected) => {
  expect(parseError(body)).toEqual(expected);
});
