// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${NAME} is what registrar.yaml holds
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.js';
import { loadConfig } from '../../src/config/load-config.js';
import { exitCode } from '../../src/domain/operator-error.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import { CREDENTIALS, mistakesOf, sound, temporaryFolder, written } from './written-config.js';

test('a sound file loads, with defaults in place and lengths of time in milliseconds', () => {
  const { config, warnings } = loadConfig(written(sound({})), CREDENTIALS);
  expect(warnings).toEqual([]);
  expect(config.environments.main).toMatchObject({
    clientId: 'client-7',
    clientSecret: 'kept-from-everyone',
    quota: { requests: 70, perMs: 60_000, reserve: 0 },
    retry: { tries: 5, firstMs: 2000, longestMs: 300_000 },
    pace: 'even',
  });
  expect(config.sources[0]).toMatchObject({
    name: 'academy',
    match: '*.{csv,tsv,txt,xlsx,zip,gz,pgp,gpg}',
    stableForMs: 2000,
    columns: {},
    status: { completed: [], notCompleted: [], exempt: 'skip' },
  });
  expect(config.schedule).toEqual([]);
});

test('all mistakes of a file are reported at once, each with its line, in the order of the file', () => {
  const yaml = `environments:
  main:
    baseUrl: http://platform.example
    authUrl: https://login.platform.example
    clientId: \${CLIENT}
    clientSecret: hunter2
    quota: { requests: 10, reserve: 10 }
    pase: even
    deadline: 30
sources:
  - name: academy
    operation: submit-completion
    environment: mian
    match: *.csv
    timeZone: Europe/Berln
    columns:
      userid: Email
      content-id: \${COURSE_HEADER}
  - name: Academy
    operation: submit-completion
    environment: main
    dateOrder: day_first
schedule:
  - cron: "61 * * * *"
    do: [run]
    sources: [acadmy]
`;
  expect(mistakesOf(yaml)).toEqual([
    'registrar.yaml:3: environments.main.baseUrl "http://platform.example" must begin with https://; plain http is only for this machine (127.0.0.1, ::1, localhost)',
    expect.stringMatching(
      /^registrar\.yaml:6: environments\.main\.clientSecret must be a reference such as /,
    ),
    'registrar.yaml:7: environments.main.quota.reserve 10 must be smaller than requests, or runs would have none left',
    'registrar.yaml:8: environments.main.pase is not known here; did you mean pace?',
    'registrar.yaml:9: environments.main.deadline 30 has no unit; write 30s, 15m, 12h or 7d',
    'registrar.yaml:13: sources[0].environment "mian" is not one of environments; did you mean main?',
    expect.stringMatching(
      /^registrar\.yaml:14: YAML reads a value that begins with \* .*; put a text in quotes, as in "\*\.csv"$/,
    ),
    'registrar.yaml:15: sources[0].timeZone "Europe/Berln" is not an IANA time zone; did you mean Europe/Berlin?',
    'registrar.yaml:17: sources[0].columns.userid is not a field of submit-completion; did you mean user-id?',
    'registrar.yaml:18: sources[0].columns.content-id refers to the environment variable COURSE_HEADER, which is not set; set it before you start Registrar',
    'registrar.yaml:19: sources[1].name "Academy" is already the name of sources[0] (case is ignored); choose another',
    'registrar.yaml:22: sources[1].dateOrder "day_first" is not known here; did you mean day-first?',
    'registrar.yaml:24: schedule[0].cron "61 * * * *" has "61" as minute, which takes 0 to 59, *, lists, ranges and steps such as */2',
    'registrar.yaml:26: schedule[0].sources[0] "acadmy" is not one of sources; did you mean academy?',
  ]);
});

test('a mistake ends the program with a configuration error about the file', () => {
  const folder = written('x: 1\n');
  try {
    loadConfig(folder, {});
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      operation: 'read the configuration',
      subject: join(folder, 'registrar.yaml'),
    });
    expect(exitCode((error as ConfigError).exit)).toBe(2);
    expect((error as ConfigError).message.split('\n')).toEqual((error as ConfigError).mistakes);
  }
});

describe('the schema', () => {
  test.each([
    [
      'control totals that expect nothing',
      { source: ['control: {}'] },
      'sources[0].control.rows is missing: bounds of the number of rows',
    ],
    [
      'a maximum below the minimum',
      { source: ['control: { rows: { min: 5, max: 4 } }'] },
      'sources[0].control.rows.max 4 is smaller than rows.min; make it larger, or rows.min smaller',
    ],
    [
      'bounds beside several sheets',
      { source: ['control: { rows: { min: 5 } }', 'sheets: [Export, Export (2)]'] },
      'sources[0].control can’t be combined with sheets, each of which is counted by itself; remove it',
    ],
    [
      'a key that is unknown there',
      { source: ['colums: {}'] },
      'sources[0].colums is not known here; did you mean columns?',
    ],
    [
      'a key spelt in another case',
      { source: ['timezone: UTC'] },
      'sources[0].timezone is not known here; did you mean timeZone?',
    ],
    [
      'a key like no other',
      { environment: ['retry: { wibble: 1 }'] },
      'environments.main.retry.wibble is not known here; use one of tries, first, longest',
    ],
    [
      'an unknown operation',
      { end: ['  - { name: b, operation: submit-completions, environment: main }'] },
      'sources[1].operation "submit-completions" is not known here; did you mean submit-completion?',
    ],
    [
      'a number where text is wanted',
      { source: ['sheet: 2024'] },
      'sources[0].sheet 2024 is a number to YAML, not text; put it in quotes',
    ],
    [
      'a truth value where text is wanted',
      { source: ['sheet: true'] },
      'sources[0].sheet true is a truth value to YAML, not text; put it in quotes',
    ],
    [
      'text where a number is wanted',
      { environment: ['inFlight: "7"'] },
      'environments.main.inFlight "7" must be a whole number, without quotes',
    ],
    [
      'a fraction of a request',
      { environment: ['quota: { requests: 1.5 }'] },
      'environments.main.quota.requests 1.5 must be a whole number, without quotes',
    ],
    [
      'no request at all',
      { environment: ['quota: { requests: 0 }'] },
      'environments.main.quota.requests 0 must be at least 1',
    ],
    [
      'more in flight than there may be',
      { environment: ['inFlight: 257'] },
      'environments.main.inFlight 257 must be at most 256',
    ],
    [
      'a length without a unit',
      { environment: ['outage: "10"'] },
      'environments.main.outage "10" is not a length of time such as 30s, 15m, 12h or 7d',
    ],
    [
      'a length in words',
      { environment: ['outage: two minutes'] },
      'environments.main.outage "two minutes" is not a length of time such as 30s, 15m, 12h or 7d',
    ],
    [
      'a period of nothing',
      { environment: ['quota: { per: 0s }'] },
      'environments.main.quota.per "0s" must be longer than 0s',
    ],
    [
      'a key without a value',
      { source: ['columns:', '  content-id: # of course'] },
      'sources[0].columns.content-id is empty; write the header (in quotes where it begins with #), or null where no column is this field',
    ],
    [
      'a list where a map is wanted',
      { source: ['columns: [Email]'] },
      'sources[0].columns must be a map: keys with values, below it or in { }',
    ],
    [
      'a map where a list is wanted',
      { end: ['schedule: { cron: x }'] },
      'schedule must be a list: entries that begin with "- ", or are in [ ]',
    ],
    [
      'a line of the schedule on a day that no month has',
      { end: ['schedule:', '  - { cron: "0 0 31 2 *", do: [run] }'] },
      'schedule[0].cron "0 0 31 2 *" is never due: no date has day of month 31 and month 2; write a date that exists, or L for the last day of a month',
    ],
    [
      'a tab written as a word',
      { source: ['delimiter: tab'] },
      'sources[0].delimiter "tab" holds a letter or a digit; a tab is written "\\t"',
    ],
    [
      'an empty row end',
      { source: ['rowEnd: ""'] },
      'sources[0].rowEnd "" is empty; write what ends a row, or remove the key',
    ],
    [
      'a row end with a line end',
      { source: ['rowEnd: "!##!\\n"'] },
      'sources[0].rowEnd "!##!\\n" holds a quotation mark or a line end; leave the line end behind it out',
    ],
    ['a delimiter as row end', { source: ['rowEnd: ","'] }, 'sources[0].rowEnd "," is a delimiter'],
    [
      'a text as row end',
      { source: ['rowEnd: this is no mark but a text'] },
      'sources[0].rowEnd "this is no mark but a text" is longer than 16 characters',
    ],
    [
      'an unsupported encoding',
      { source: ['encoding: utf-9'] },
      'sources[0].encoding "utf-9" is not an encoding that can be read; write one such as utf-8, utf-16le or windows-1252',
    ],
    [
      'a pattern with unknown signs',
      { source: ['match: "[ab].csv"'] },
      'sources[0].match "[ab].csv" has a character that is not known in patterns: use *, ? and {a,b}',
    ],
    [
      'a home folder only a shell knows',
      { source: ['inbox: ~/drops'] },
      `sources[0].inbox "~/drops" begins with ~, which only a shell understands; write \${HOME} instead`,
    ],
    [
      'a zone of another city',
      { source: ['timeZone: Bonn'] },
      'sources[0].timeZone "Bonn" is not an IANA time zone; write one such as Europe/Berlin or UTC',
    ],
    ...['CET', 'BST', 'EST5EDT'].map((zone): [string, Parameters<typeof sound>[0], string] => [
      `the abbreviation ${zone}, which Node.js knows`,
      { source: [`timeZone: ${zone}`] },
      `sources[0].timeZone "${zone}" is an abbreviation, which several regions use; write the zone of the region, such as Europe/Berlin`,
    ]),
  ])('refuses %s', (_, added, mistake) => {
    expect(mistakesOf(sound(added)).map(withoutLine)).toEqual([mistake]);
  });

  test('says what a missing key is for', () => {
    const yaml = sound({ end: ['  - environment: main'] });
    expect(mistakesOf(yaml)).toEqual([
      'registrar.yaml:11: sources[1].name is missing: name of the source, also of its folder in inbox/',
      `registrar.yaml:11: sources[1].operation is missing: what each record does on the platform (${OPERATIONS.map(({ name }) => name).join(', ')})`,
    ]);
  });

  test.each([
    ['an empty file', '', 'registrar.yaml: the file is empty'],
    ['a file with nothing but a comment', '# later\n', 'registrar.yaml: the file is empty'],
    ['a list', '- a\n', 'registrar.yaml:1: the file must be a map: keys with values, below it or in { }'],
    [
      'UTF-16',
      Buffer.from('\ufeffenvironments: {}', 'utf16le'),
      'registrar.yaml: is not UTF-8 text; save it as UTF-8',
    ],
  ])('refuses %s', (_, yaml, mistake) => {
    expect(mistakesOf(yaml)).toEqual([mistake]);
  });

  test('null for a column means that no column is the field', () => {
    const { config } = loadConfig(written(sound({ source: ['columns: { status: null }'] })), CREDENTIALS);
    expect(config.sources[0]?.columns).toEqual({ status: null });
  });

  test('a byte-order mark, Windows line ends and anchors are accepted', () => {
    const yaml = sound({
      source: ['columns: &map { user-id: Mail }'],
      end: ['  - { name: b, operation: submit-completion, environment: main, columns: *map }'],
    });
    const { config } = loadConfig(written(`\ufeff${yaml.replaceAll('\n', '\r\n')}`), CREDENTIALS);
    expect(config.sources[1]?.columns).toEqual({ 'user-id': 'Mail' });
  });

  test('a file that is not there suggests init', () => {
    const folder = temporaryFolder();
    expect(() => loadConfig(folder, {})).toThrow(
      expect.objectContaining({
        mistakes: [`${folder} has no registrar.yaml`],
        hint: 'Write one with registrar init, or name the workspace with --workspace.',
      }),
    );
  });
});

describe('secrets', () => {
  test.each([
    ['a literal', 'hunter2'],
    ['a literal beside a reference', 'hunter2${SECRET}'],
    ['two references', '${SECRET}${CLIENT}'],
    ['a number', '4711'],
    ['a map', '{ hunter2: x }'],
    ['a tagged word', '!env hunter2'],
    ['an alias', '*hunter2'],
    ['a word YAML cannot read', '@hunter2'],
    ['a broken quote', '"hunter2'],
  ])('%s as clientSecret is refused and never repeated', (_, secret) => {
    const yaml = sound({}).replace(/clientSecret: .*/, `clientSecret: ${secret}`);
    const mistakes = mistakesOf(yaml);
    expect(mistakes).not.toEqual([]);
    expect(mistakes.join()).not.toMatch(/hunter2|4711|kept-from-everyone/);
  });

  test('the remedy for a literal names both ways to give a secret', () => {
    const [mistake] = mistakesOf(sound({}).replace(/clientSecret: .*/, 'clientSecret: hunter2'));
    expect(mistake).toContain('environment variable');
    expect(mistake).toContain('clientSecretFile');
  });

  test('a secret comes from a file relative to the workspace, without its line end', () => {
    const folder = written(withSecretFile('secret.txt'));
    writeFileSync(join(folder, 'secret.txt'), 's3 cret\r\n', { mode: 0o600 });
    const { config, warnings } = loadConfig(folder, CREDENTIALS);
    expect(config.environments.main?.clientSecret).toBe('s3 cret');
    expect(warnings).toEqual([]);
  });

  test('a secret file that others can read is a warning', () => {
    const folder = written(withSecretFile('secret.txt'));
    writeFileSync(join(folder, 'secret.txt'), 's3cret');
    chmodSync(join(folder, 'secret.txt'), 0o640);
    expect(loadConfig(folder, CREDENTIALS).warnings).toEqual([
      expect.stringMatching(
        /^registrar\.yaml:6: environments\.main\.clientSecretFile "secret\.txt" can be read by others too \(rights 0\d\d\d\): chmod 600 .*secret\.txt$/,
      ),
    ]);
  });

  test.each([
    ['is not there', null, 'cannot be read: there is no such file (a relative path starts at the workspace)'],
    ['is empty', '\n', 'is an empty file'],
    ['ends with a blank', 's3cret \n', 'begins or ends with a blank; remove it'],
    ['holds more than a secret', 'user\ns3cret\n', 'must hold only the secret, on one line'],
    [
      'is far too large',
      'x'.repeat(20_000),
      'is larger than 16 kB, so it is not a secret; name the file that holds only the secret',
    ],
  ])('a secret file that %s is refused', (_, content, mistake) => {
    const folder = written(withSecretFile('secret.txt'));
    if (content !== null) writeFileSync(join(folder, 'secret.txt'), content, { mode: 0o600 });
    expect(() => loadConfig(folder, CREDENTIALS)).toThrow(
      `registrar.yaml:6: environments.main.clientSecretFile "secret.txt" ${mistake}`,
    );
  });

  test('a secret given both inline and by file, or in neither way, is a mistake', () => {
    expect(mistakesOf(sound({ environment: ['clientSecretFile: /dev/null'] })).map(withoutLine)).toContain(
      'environments.main.clientSecretFile "/dev/null" can’t be combined with clientSecret; keep one',
    );
    expect(mistakesOf(sound({}).replace(/ *clientSecret: .*\n/, ''))).toEqual([
      `registrar.yaml:2: environments.main.clientSecret is missing: a reference to an environment variable, \${NAME}; a literal secret is refused`,
    ]);
  });
});

describe('where nothing is sent', () => {
  const unused = (yaml: string) => loadConfig(written(yaml), {}, 'unused');

  test('credentials may be missing, be they variables or a file', () => {
    expect(unused(sound({})).config.sources).toHaveLength(1);
    const file = sound({}).replace('clientSecret: ${SECRET}', 'clientSecretFile: none.txt');
    expect(unused(file).config.environments.main?.clientSecret).toBeUndefined();
  });

  test('addresses and folders may be missing as well: check needs no environment variable', () => {
    const yaml = sound({
      environment: ['caFile: ${CA}/ca.pem'],
      source: ['inbox: ${SHARE}/drops'],
      end: ['reports: { folder: "${SHARE}/reports" }'],
    })
      .replace(/baseUrl: .*/, 'baseUrl: ${PLATFORM}')
      .replace(/authUrl: .*/, 'authUrl: https://${HOST}/login');
    expect(unused(yaml).config.environments.main).toMatchObject({
      baseUrl: 'https://unset.invalid',
      authUrl: 'https://unset.invalid/login',
    });
  });

  test('every other variable is still needed, and a literal secret still refused', () => {
    expect(() => unused(sound({ source: ['sheet: ${SHEET}'] }))).toThrow('SHEET, which is not set');
    expect(() => unused(sound({}).replace('${SECRET}', 'hunter2'))).toThrow('must be a reference');
    expect(() => unused(sound({}).replace('${CLIENT}', '${1}'))).toThrow(
      'without the name of an environment',
    );
  });
});

describe('environment variables', () => {
  test('all that are missing or empty are reported at once, by name', () => {
    expect(mistakesOf(sound({ source: ['sheet: ${SHEET}'] }), { CLIENT: '' })).toEqual([
      'registrar.yaml:5: environments.main.clientId refers to the environment variable CLIENT, which is empty; set it before you start Registrar',
      'registrar.yaml:6: environments.main.clientSecret refers to the environment variable SECRET, which is not set; set it before you start Registrar',
      'registrar.yaml:11: sources[0].sheet refers to the environment variable SHEET, which is not set; set it before you start Registrar',
    ]);
  });

  test('a credential with a blank at an end is refused, and so is a reference without braces', () => {
    expect(mistakesOf(sound({}), { CLIENT: 'client-7', SECRET: 's3cret ' })).toEqual([
      'registrar.yaml:6: environments.main.clientSecret refers to the environment variable SECRET, which begins or ends with a blank; remove the blank',
    ]);
    const bare = mistakesOf(sound({}).replace('${CLIENT}', '$CLIENT'), CREDENTIALS);
    expect(bare).toEqual([
      'registrar.yaml:5: environments.main.clientId looks like a reference without its braces; write ${CLIENT}',
    ]);
    expect(loadConfig(written(sound({})), { ...CREDENTIALS, SECRET: 's3cret ' }, 'unused').warnings).toEqual(
      [],
    );
  });

  test('may be anywhere in a text, and $${ is the characters themselves', () => {
    const yaml = sound({
      source: ['sheet: "Q${QUARTER} of ${YEAR}"', 'columns: { user-id: "$${MAIL} $5" }'],
    });
    const { config } = loadConfig(written(yaml), { ...CREDENTIALS, QUARTER: '3', YEAR: '$&' });
    expect(config.sources[0]?.sheet).toBe('Q3 of $&');
    expect(config.sources[0]?.columns['user-id']).toBe('${MAIL} $5');
  });

  test('their values appear in no message', () => {
    const yaml = sound({ source: ['timeZone: ${PLACE}', 'dateOnly: ${PLACE}', 'match: "${PLACE}["'] });
    const mistakes = mistakesOf(yaml.replace('environment: main', 'environment: ${PLACE}'), {
      ...CREDENTIALS,
      PLACE: 'atlantis',
    });
    expect(mistakes).toHaveLength(4);
    expect(mistakes.join()).not.toContain('atlantis');
    expect(mistakes[0]).toContain('sources[0].environment "${PLACE}" is not one of environments');
  });

  test.each(['${', '${}', '${no name}', '${OPEN'])('%s is not a reference', (text) => {
    const [mistake, ...more] = mistakesOf(sound({ source: [`sheet: "${text}"`] }));
    expect(mistake).toMatch(/^registrar\.yaml:11: sources\[0\]\.sheet has \$\{ without the name/);
    expect(more).toEqual([]);
  });
});

describe('rules between the parts', () => {
  const second = (quota: string) => [
    '  second:',
    '    baseUrl: https://b.example',
    '    authUrl: https://b.example',
    '    clientId: ${CLIENT}',
    '    clientSecret: ${SECRET}',
    `    quota: ${quota}`,
  ];
  const withSecond = (quota: string) =>
    sound({}).replace('sources:', [...second(quota), 'sources:'].join('\n'));

  test('one client id in two environments has one quota', () => {
    expect(mistakesOf(withSecond('{ requests: 70, per: 60s }'))).toEqual([]);
    expect(mistakesOf(withSecond('{ requests: 71 }'))).toEqual([
      'registrar.yaml:12: environments.second.quota differs from environments.main.quota, but second and main have the same client id and the platform counts per client id; give both the same',
    ]);
  });

  test('a canary can be exceeded, or looks at nothing', () => {
    expect(mistakesOf(sound({ environment: ['canary: { rows: 0 }'] }))).toEqual([]);
    expect(mistakesOf(sound({ environment: ['canary: { rows: 40 }'] })).map(withoutLine)).toEqual([
      'environments.main.canary.maxRejected must be smaller than rows (it is 40 by default)',
    ]);
  });

  test('deliverBy is a time of day in a named zone', () => {
    const mistakes = (...environment: string[]) => mistakesOf(sound({ environment })).map(withoutLine);
    expect(mistakes('deliverBy: 18:00', 'timeZone: Europe/Berlin')).toEqual([]);
    expect(mistakes('deliverBy: 18:00')).toEqual([
      'environments.main.timeZone is missing: IANA zone of deliverBy',
    ]);
    expect(mistakes('deliverBy: 18:00', 'timeZone: Europe/Berln')).toEqual([
      'environments.main.timeZone "Europe/Berln" is not an IANA time zone; did you mean Europe/Berlin?',
    ]);
    for (const wrong of ['24:00', '6pm', '8:30', '18:00:00']) {
      expect(mistakes(`deliverBy: ${wrong}`, 'timeZone: UTC')).toEqual([
        `environments.main.deliverBy "${wrong}" is not a time of day such as 08:30 or 18:00`,
      ]);
    }
  });

  test('a first wait is not longer than the longest', () => {
    expect(mistakesOf(sound({ environment: ['retry: { first: 10m }'] })).map(withoutLine)).toEqual([
      'environments.main.retry.first "10m" is longer than retry.longest; make it shorter, or retry.longest longer',
    ]);
  });

  test('an environment called like a property of every object exists only when it is written', () => {
    const [mistake] = mistakesOf(sound({}).replace('environment: main', 'environment: constructor'));
    expect(mistake).toContain('sources[0].environment "constructor" is not one of environments; use main');
  });

  test('the name of an environment is valid in paths', () => {
    expect(mistakesOf(sound({}).replaceAll('main', '"a/b"')).map(withoutLine)).toEqual([
      'environments["a/b"] is not a name: letters, digits, dots, dashes and underscores, up to 64, the first a letter or digit',
    ]);
  });

  test('two sources read two folders, however the folder is spelt', () => {
    const folder = written(
      sound({
        source: ['inbox: drops'],
        end: ['  - { name: b, operation: submit-completion, environment: main, inbox: ./link/../link }'],
      }),
    );
    mkdirSync(join(folder, 'drops'));
    symlinkSync(join(folder, 'drops'), join(folder, 'link'));
    expect(() => loadConfig(folder, CREDENTIALS)).toThrow(
      'registrar.yaml:12: sources[1].inbox "./link/../link" is the folder that sources[0] reads; give each source its own',
    );
  });

  test('a default is one of the values of its field, whatever the case', () => {
    const choice = (value: string) => mistakesOf(sound({ source: [`defaults: { content-type: ${value} }`] }));
    expect(choice('COURSE')).toEqual([]);
    expect(choice('curse')).toEqual([
      'registrar.yaml:11: sources[0].defaults.content-type "curse" is not a value of this field; did you mean course?',
    ]);
  });

  test('a time of day has no default: dateOnly is that', () => {
    expect(mistakesOf(sound({ source: ["defaults: { completed-at-time: '12:00' }"] }))).toEqual([
      'registrar.yaml:11: sources[0].defaults.completed-at-time takes no default; dateOnly of the source sets the time of day of a date without one',
    ]);
  });

  test('a pattern of times is one that can be read, with a century for a year of two digits', () => {
    const patterns = (...source: string[]) => mistakesOf(sound({ source })).map(withoutLine);
    expect(patterns('datePatterns: [dd/MM/yyyy, epoch-seconds]')).toEqual([]);
    expect(patterns('datePatterns: [dd/mm/yyyy]')).toEqual([
      'sources[0].datePatterns[0] "dd/mm/yyyy" has no year (yyyy) or no month (MM is the month, mm the minute)',
    ]);
    expect(patterns('datePatterns: [dd.MM.yy]')).toEqual([
      'sources[0].twoDigitYears is missing: first of the hundred years that two-digit years mean; without it they are refused',
    ]);
    expect(patterns('datePatterns: [dd.MM.yy]', 'twoDigitYears: 1970')).toEqual([]);
  });

  test('zone names, languages and the earliest day are what they are called', () => {
    const values = (...source: string[]) => mistakesOf(sound({ source })).map(withoutLine);
    expect(values('zoneNames: { EST: America/New_York }', 'languages: [de]', 'earliest: 1990-01-01')).toEqual(
      [],
    );
    expect(values('zoneNames: { EST: EST5 }')).toEqual([expect.stringContaining('zoneNames.EST "EST5"')]);
    expect(values('languages: [xx]')).toEqual([expect.stringContaining('languages[0] "xx"')]);
    expect(values('earliest: 1990')).toEqual([expect.stringContaining('earliest')]);
  });

  test('a mistake in one value does not hide the rules about its neighbours', () => {
    expect(
      mistakesOf(sound({ source: ['defaults: { percentile: 100, contenttype: x }'] })).map(withoutLine),
    ).toEqual([
      'sources[0].defaults.percentile 100 is a number to YAML, not text; put it in quotes',
      'sources[0].defaults.contenttype is not a field of submit-completion; did you mean content-type?',
    ]);
  });
});

describe('the notation', () => {
  test.each([
    [
      'a cron expression without quotes',
      { end: ['schedule:', '  - cron: */15 * * * *', '    do: [run]'] },
      [12, 'in quotes'],
    ],
    ['a second colon', { source: ['columns:', '  user-id: Mail: work'] }, [12, 'second ": "']],
    ['a tab', { source: ['columns:', '\tuser-id: Mail'] }, [12, 'tab']],
    ['a quote left open', { source: ['sheet: "Q3'] }, [11, 'quote']],
    [
      'a reference in braces',
      { environment: ['quota: { requests: ${N} }'] },
      [7, 'inside { } put ${NAME} in quotes'],
    ],
    ['a tag', { source: ['sheet: !env Q3'] }, [11, '${NAME}']],
    ['a reserved sign', { source: ['sheet: @Q3'] }, [11, 'in quotes']],
    ['a second document', { end: ['---', 'a: 1'] }, [11, 'second document']],
  ] as const)('%s is reported once, with its line and remedy', (_, added, [line, words]) => {
    const mistakes = mistakesOf(sound(added));
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(new RegExp(`^registrar\\.yaml:${line}: `));
    expect(mistakes[0]).toContain(words);
  });

  test('a key given twice is reported once, in its second line', () => {
    expect(mistakesOf(sound({ source: ['sheet: a', 'sheet: b'] }))).toEqual([
      'registrar.yaml:12: this key is given above already; remove one of the two',
    ]);
  });

  test('an alias of what contains it terminates', () => {
    expect(mistakesOf(sound({ source: ['columns: &c { user-id: *c }'] }))).toEqual([
      expect.stringMatching(/^registrar\.yaml:11: YAML reads a value that begins with \* as an alias/),
    ]);
  });

  test('aliases of aliases don’t grow without bound', () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`,
    );
    expect(mistakesOf(['a0: &a0 [x]', ...levels, ''].join('\n')).join('\n')).toContain(
      'repeats itself too often',
    );
  });
});

describe('addresses', () => {
  const address = (text: string) => mistakesOf(sound({}).replace('https://platform.example', text));

  test.each([
    'https://platform.example/base/',
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://localhost:1',
    'http://[::1]:1',
  ])('%s is accepted as an address', (text) => {
    expect(address(text)).toEqual([]);
  });

  test.each([
    'http://platform.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'ftp://platform.example',
    'platform.example',
    'https://platform.example?x=1',
    'https://u:hunter2@platform.example',
    'http://hunter2@platform.example',
  ])('%s is refused, and no password is repeated', (text) => {
    const mistakes = address(text);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(/^registrar\.yaml:3: environments\.main\.baseUrl/);
    expect(mistakes[0]).not.toContain('hunter2');
  });

  test.each([
    ['baseUrl', 'https://platform.example/base/api/v2/', '/api/v2', 'https://platform.example/base'],
    [
      'authUrl',
      'https://login.platform.example/oauth/token',
      '/oauth/token',
      'https://login.platform.example',
    ],
  ])('%s with the path that each request adds is refused, with what to write', (key, text, path, host) => {
    const yaml = sound({}).replace(new RegExp(`${key}: .*`), `${key}: ${text}`);
    expect(mistakesOf(yaml).map(withoutLine)).toEqual([
      `environments.main.${key} "${text}" ends with ${path}, which Registrar adds itself; write ${host}`,
    ]);
  });

  test('loses the slashes at its end', () => {
    const yaml = sound({}).replace('https://platform.example', 'https://platform.example/base//');
    expect(loadConfig(written(yaml), CREDENTIALS).config.environments.main?.baseUrl).toBe(
      'https://platform.example/base',
    );
  });
});

function withSecretFile(name: string): string {
  return sound({}).replace(/clientSecret: .*/, `clientSecretFile: ${name}`);
}

function withoutLine(mistake: string): string {
  return mistake.replace(/^registrar\.yaml:\d+: /, '');
}
