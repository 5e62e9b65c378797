// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what registrar.yaml holds
import { expect, test } from 'vitest';
import { configJsonSchema, schemaAt } from '../../src/config/json-schema.js';
import { configReference, renderConfigReference } from '../support/config-reference.js';

test('the reference has every key, nested ones with their whole path', () => {
  const keys = configReference().map(({ key }) => key);
  expect(keys).toEqual(
    expect.arrayContaining([
      'environments',
      'environments.<name>.baseUrl',
      'environments.<name>.quota.requests',
      'environments.<name>.retry.longest',
      'sources[].columns',
      'sources[].status.completed',
      'schedule[].cron',
    ]),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('every configuration key has a description', () => {
  expect(configReference().filter(({ meaning }) => meaning === '')).toEqual([]);
});

test.each([
  ['environments.<name>.baseUrl', 'address', 'required'],
  ['environments.<name>.quota.requests', 'whole number', '70'],
  ['environments.<name>.quota.per', 'length of time', '1m'],
  ['environments.<name>.quota', 'map', 'empty'],
  ['environments.<name>.pace', '`even`, `burst`', 'even'],
  ['sources[].timeZone', 'IANA time zone', 'none'],
  ['sources[].status.completed', 'list of text', 'empty'],
  ['sources', 'list', 'required'],
])('%s is %s, default %s', (key, type, standard) => {
  expect(configReference().find((entry) => entry.key === key)).toMatchObject({ type, default: standard });
});

test('the table has one line for each key, and no cell breaks it', () => {
  const lines = renderConfigReference().trimEnd().split('\n');
  expect(lines).toHaveLength(configReference().length + 2);
  for (const line of lines) expect(line.replaceAll('\\|', '').match(/\|/g)).toHaveLength(5);
});

test('the JSON Schema describes the file as it is written, and knows a secret reference', () => {
  const schema = configJsonSchema();
  expect(schema.required).toEqual(['environments', 'sources']);
  const environment = schemaAt(['environments', 'main']);
  expect(environment?.additionalProperties).toBe(false);
  expect(environment?.required).toEqual(['baseUrl', 'authUrl', 'clientId']);
  const secret = new RegExp(environment?.properties?.clientSecret?.pattern ?? '');
  expect(secret.test('${REGISTRAR_CLIENT_SECRET}')).toBe(true);
  expect(secret.test('hunter2')).toBe(false);
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
