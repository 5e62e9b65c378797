import { expect, it } from 'vitest';
import { consoleSchema } from '../../../src/config/schema/console-schema.js';
import { proxyPerson } from '../../../src/console/sign-in/proxy.js';

const PROXY = { addresses: ['10.0.0.5', '10.1.0.0/16', 'fd00::/8'], userHeader: 'X-Forwarded-User' };
const GROUPS = { ...PROXY, rolesHeader: 'X-Forwarded-Groups' };
const ROLES = { operator: ['ada', 'group:ops'], auditor: ['group:audit'], viewer: ['group:staff', 'Jürgen'] };

function named(
  address: string | undefined,
  headers: Record<string, string[]>,
  proxy: object = GROUPS,
  roles: object = ROLES,
) {
  return proxyPerson(consoleSchema.parse({ proxy, roles }), address, headers);
}

const user = (...names: string[]) => ({ 'x-forwarded-user': names });

it.each(['10.0.0.5', '::ffff:10.0.0.5', '::FFFF:10.0.0.5', '10.1.255.255', 'fd00::1', 'fd12:3456::1%eth0'])(
  'the proxy’s header is trusted from %s',
  (address) => {
    expect(named(address, user('ada'))).toEqual({ person: { name: 'ada', role: 'operator' } });
  },
);

it.each(['10.0.0.6', '10.2.0.0', '::ffff:10.0.0.6', '127.0.0.1', '::1', 'fe80::1', '', 'ada', undefined])(
  'the proxy’s header is ignored from %s',
  (address) => {
    expect(named(address, user('ada'))).toBeNull();
  },
);

it('without a proxy in registrar.yaml no header means anything', () => {
  expect(proxyPerson(consoleSchema.parse({}), '10.0.0.5', user('ada'))).toBeNull();
});

it.each([
  ['absent', {}],
  ['empty', user('')],
  ['blank', user('  ')],
  ['there twice', user('ada', 'eve')],
  ['there twice with one name', user('ada', 'ada')],
  ['joined from two', user('ada, eve')],
  ['beside groups that came twice', { ...user('ada'), 'x-forwarded-groups': ['staff', 'ops'] }],
])('a header that is %s names no person', (_, headers) => {
  expect(named('10.0.0.5', headers)).toBeNull();
});

it.each([
  ['ada', 'staff', 'operator'],
  ['ADA', '', 'operator'],
  ['bob', 'staff, ops', 'operator'],
  ['bob', 'staff,audit', 'auditor'],
  ['bob', 'staff', 'viewer'],
  ['bob', 'Staff', null],
  ['bob', '', null],
  ['ops', '', null],
  ['group:ops', '', null],
])('%s of %j is %s', (name, groups, role) => {
  const answer = named('10.0.0.5', { ...user(name), 'x-forwarded-groups': [groups] });
  expect(answer).toMatchObject(role === null ? { refusal: { code: 'no-role' } } : { person: { name, role } });
});

it('groups count only where registrar.yaml names their header', () => {
  const headers = { ...user('bob'), 'x-forwarded-groups': ['ops'] };
  expect(named('10.0.0.5', headers, PROXY)).toMatchObject({ refusal: { code: 'no-role' } });
});

it('a person who is not listed has the role that registrar.yaml gives others', () => {
  expect(named('10.0.0.5', user('eve'), GROUPS, { others: 'viewer' })).toEqual({
    person: { name: 'eve', role: 'viewer' },
  });
});

it('a name is read as UTF-8, and as Latin-1 where it is not valid UTF-8', () => {
  for (const encoding of ['utf8', 'latin1'] as const) {
    const header = Buffer.from('Jürgen', encoding).toString('latin1');
    expect(named('10.0.0.5', user(header))).toEqual({ person: { name: 'Jürgen', role: 'viewer' } });
  }
});

it.each(['a\u0085b', 'a\u202eb', 'x'.repeat(201)])(
  'a name that can’t be recorded names no person',
  (name) => {
    const header = Buffer.from(name, 'utf8').toString('latin1');
    expect(named('10.0.0.5', user(header), GROUPS, { others: 'operator' })).toMatchObject({
      refusal: { code: 'unnamed' },
    });
  },
);
