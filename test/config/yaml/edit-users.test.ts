import { expect, it } from 'vitest';
import { insertUser, removeUser } from '../../../src/config/yaml/edit-users.js';

const EVE = { name: 'eve', role: 'viewer', password: 'scrypt:1:2:3:a:b' } as const;
const NEW = ['- name: "eve"', '  role: viewer', '  password: "scrypt:1:2:3:a:b"'];

function indented(by: number, lines = NEW): string[] {
  return lines.map((line) => `${' '.repeat(by)}${line}`);
}

const FLOW_USER = '{ name: ada, role: operator, password: x }';

/** Files after eve was added, line by line; without what is from NEW on they are the files before. */
const FILES: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  ['where there is no console', ['sources: []  # none'], ['console:', '  users:', ...indented(4)], []],
  [
    'where there are no users',
    ['console:  # pages', '  listen: 127.0.0.1:1  # here', '  session:', '    idle: 5m'],
    ['  users:', ...indented(4)],
    ['# schedule', 'schedule: []'],
  ],
  [
    'behind the last user, and the comments that belong to it',
    [
      'console:',
      '  users:',
      '  # the first',
      '  - name: ada',
      '    role: operator',
      '    password: x',
      '    # end of ada',
    ],
    indented(2),
    ['  # when they are logged out', '  session: { idle: 5m }', 'schedule: []'],
  ],
  [
    'behind a user on one line',
    ['console:', '    users:', `      - ${FLOW_USER}`],
    indented(6),
    ['    listen: x:1'],
  ],
];

it.each(FILES)(
  'a user is added %s, and removed again, and nothing else changes',
  (_, before, added, after) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const text = (lines: readonly string[]) => lines.map((line) => line + lineEnd).join('');
      const [without, full] = [text([...before, ...after]), text([...before, ...added, ...after])];
      expect(insertUser(without, EVE)).toBe(full);
      expect(removeUser(full, 'eve')).toBe(without);
    }
  },
);

it('the first of several is removed, with what stands deeper below it', () => {
  const rest = ['  - name: bob', '    role: viewer', '    password: x', ''];
  const text = ['console:', '  users:', '  # first', ...indented(2), '    # of eve', ...rest].join('\n');
  expect(removeUser(text, 'eve')).toBe(['console:', '  users:', '  # first', ...rest].join('\n'));
});

it('a file without a line end at its end gets one', () => {
  expect(insertUser('a: 1', EVE)).toBe(['a: 1', 'console:', '  users:', ...indented(4), ''].join('\n'));
});

it.each([
  ['in brackets', `console: { users: [${FLOW_USER}] }\n`],
  ['in brackets within', `console:\n  users: [${FLOW_USER}]\n`],
  ['as JSON', '{ "console": { "users": [] } }'],
  ['by an alias', `x: &all\n  - ${FLOW_USER}\nconsole:\n  users: *all\n`],
  ['in a file that ends', 'sources: []\n...\n'],
])('users that are written %s are left alone', (_, text) => {
  expect(insertUser(text, EVE)).toBeNull();
  expect(removeUser(text, 'ada')).toBeNull();
});
