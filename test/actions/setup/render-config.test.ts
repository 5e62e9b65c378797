// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what registrar.yaml holds
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type NewConfig, renderConfig } from '../../../src/actions/setup/render-config.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { machineTimeZone } from '../../../src/config/values/time-zone.js';

const BARE: NewConfig = { sourceName: 'academy' };
const ZONE = machineTimeZone();

test('a configuration rendered without a sample loads, with one source and known headers', () => {
  const { config, warnings } = load(renderConfig(BARE));
  expect(warnings).toEqual([]);
  expect(config.environments.main).toMatchObject({
    baseUrl: 'https://platform.example',
    clientId: 'id',
    clientSecret: 'secret',
  });
  expect(config.sources).toMatchObject([
    { name: 'academy', operation: 'submit-completion', timeZone: ZONE, columns: {}, defaults: {} },
  ]);
});

test('the keys in comments load as they are once they are switched on', () => {
  const switchedOn = renderConfig(BARE).replace(/^( *)#(?=[a-z]| {2})/gm, '$1');
  const { config } = load(switchedOn);
  expect(config.environments.main?.quota).toEqual({ requests: 70, perMs: 60_000, reserve: 0 });
  expect(config.sources[0]).toMatchObject({
    match: '*.{csv,tsv,txt,xlsx,zip,gz,pgp,gpg}',
    dateOrder: 'day-first',
    columns: { 'user-id': 'Learner', 'content-id': 'Course code', 'completed-at': 'Finished on' },
    defaults: { 'content-type': 'course' },
  });
  expect(config.schedule).toMatchObject([
    { cron: '*/15 * * * *', timeZone: ZONE, do: ['run'] },
    { cron: '0 7 * * 1-5', timeZone: ZONE, do: ['report'] },
  ]);
});

test('the machine’s zone is marked for a person to confirm, the addresses for replacing', () => {
  const text = renderConfig(BARE);
  expect(text).toContain(`timeZone: ${ZONE} # confirm: `);
  expect(text).toMatch(/baseUrl: https:\/\/platform\.example # replace: /);
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./registrar.schema.json');
});

test('each finding of a sample has its reason', () => {
  const text = renderConfig({
    ...BARE,
    sample: {
      fileName: 'march.csv',
      operation: 'submit-completion',
      settings: [{ key: 'dateOrder', value: 'month-first', reason: '3/14/2024 in line 9' }],
      preset: null,
      missing: [{ field: 'content-id', reason: 'no header is a known name for it' }],
      columns: [{ field: 'user-id', header: 'Mail', reason: 'a header known for it' }],
      defaults: [{ field: 'user-identifier-type', value: 'Email', reason: 'the values are addresses' }],
    },
  });
  expect(text).toContain('      user-id: Mail # a header known for it\n');
  expect(text).toContain('    dateOrder: month-first # 3/14/2024 in line 9\n');
  expect(text).toContain('      user-identifier-type: Email # the values are addresses\n');
  expect(text).toContain(
    '      # content-id is needed, here or in defaults: no header is a known name for it\n',
  );
  expect(load(text).config.sources[0]).toMatchObject({
    columns: { 'user-id': 'Mail' },
    defaults: { 'user-identifier-type': 'Email' },
    dateOrder: 'month-first',
  });
});

test('the preset of a sample has its evidence, its settings, and its zone instead of the machine’s', () => {
  const text = renderConfig({
    ...BARE,
    sample: {
      fileName: 'march.csv',
      operation: 'submit-completion',
      settings: [
        { key: 'timeZone', value: 'UTC', reason: 'the zone that preset coursera is known to write times in' },
      ],
      preset: {
        name: 'coursera',
        title: 'Coursera, activity',
        has: ['Course Slug', 'Completion Time'],
        settings: ['timeZone: UTC'],
      },
      missing: [],
      columns: [],
      defaults: [],
    },
  });
  expect(text).toContain(
    '    preset: coursera # confirm: Coursera, activity: it has Course Slug, Completion Time\n',
  );
  expect(text).toContain('    # It sets, unless another key here says otherwise: timeZone: UTC\n');
  expect(text).toMatch(/timeZone: UTC # confirm: the zone that preset coursera /);
  expect(load(text).config.sources[0]).toMatchObject({ preset: 'coursera', timeZone: 'UTC' });
});

test.each([
  'E-Mail: work',
  '# of course',
  '*',
  '${HOME}',
  '$${x} $$',
  'a "quoted" \\ one',
  'two\nlines\r\n\tand a tab',
  '日本語 – ñ',
  '\u0085\u2028\ufeff\u0000\u007f',
  'true',
  '007',
  "it's",
  ' blank around ',
  '- dash',
  '{a}',
  '😀',
])('the header %j round-trips, and nothing of it escapes its comment', (header) => {
  const text = renderConfig({
    ...BARE,
    sample: {
      fileName: `x${header}.csv`,
      operation: 'submit-completion',
      settings: [],
      preset: { name: 'coursera', title: header, has: [header], settings: [header] },
      missing: [{ field: 'content-id', reason: header }],
      columns: [{ field: 'user-id', header, reason: `it is ${header}` }],
      defaults: [{ field: 'content-title', value: header, reason: header }],
    },
  });
  expect(load(text).config.sources[0]).toMatchObject({
    columns: { 'user-id': header },
    defaults: { 'content-title': header },
  });
});

function load(yaml: string) {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-render-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'registrar.yaml'), yaml);
  return loadConfig(folder, { REGISTRAR_CLIENT_ID: 'id', REGISTRAR_CLIENT_SECRET: 'secret' });
}
