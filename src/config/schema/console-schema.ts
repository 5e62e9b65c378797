import { readPasswordHash } from '../../domain/access/password-hash.js';
import { ROLES } from '../../domain/access/role.js';
import { isSameUser, userNameMistake } from '../../domain/access/user-name.js';
import { addressMistake } from '../values/network/address.js';
import { proxyAddressMistake } from '../values/network/address-range.js';
import { isLocalAddress, listenMistake } from '../values/network/listen-address.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

/** Anything else here is probably a plain password. */
const password = v.checked(passwordMistake).meta({ title: 'password hash', ...v.SECRET });

const user = z.strictObject({
  name: v.checked(userNameMistake).describe('sign-in name; decisions are recorded under it'),
  role: z
    .enum(ROLES)
    .describe(
      'viewer: sees counts and causes, no rows; operator: sees rows, and acts; auditor: sees all, and acts on nothing',
    ),
  password: password.describe('hash that registrar user hash prints'),
});

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, 'is not the name of a header such as X-Forwarded-User')
  .meta({ title: 'name of a header' });

const proxy = z.strictObject({
  addresses: z
    .array(v.checked(proxyAddressMistake))
    .min(1)
    .describe(
      'IP addresses or ranges (10.1.0.0/16) of the proxy; from other addresses the headers are ignored. The proxy must remove these headers from the requests of browsers',
    ),
  userHeader: headerName.describe('header with the name of the person, such as X-Forwarded-User'),
  rolesHeader: headerName
    .optional()
    .describe('header with the person’s groups, separated by commas, such as X-Forwarded-Groups'),
});

const oidc = z
  .strictObject({
    issuer: v
      .checked((text) => addressMistake(text))
      .meta({ title: 'address' })
      .describe(
        'address of the provider; its configuration is read from /.well-known/openid-configuration below it',
      ),
    clientId: v.text.describe('client id that the provider issued to the console'),
    clientSecret: v.secretReference.describe(
      `a reference to an environment variable, \${NAME}; a literal secret is refused`,
    ),
    clientSecretFile: v.optionalText.describe('file that holds the secret, instead of clientSecret'),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'is not a scope such as email'))
      .default(['openid', 'email'])
      .refine((scopes) => scopes.includes('openid'), 'must have openid, without which sign-in fails')
      .describe('scopes to request; openid must be among them'),
    nameClaim: v.text
      .default('email')
      .describe('claim with the name of the person; an email that the provider calls unverified is refused'),
    rolesClaim: v.optionalText.describe('claim with the person’s groups, such as groups'),
    label: v.text.max(60).default('Single sign-on').describe('label of the button'),
    caFile: v.caFile,
  })
  .superRefine((provider, context) => v.requireOneSecret(context, provider, 'clientSecret', true));

const members = z.array(z.string().regex(/^\S(.*\S)?$/, 'begins or ends with a blank')).default([]);

const roles = z
  .strictObject({
    operator: members.describe('operators: names, and groups as group:NAME; overrides the other roles'),
    auditor: members.describe('auditors: names, and groups as group:NAME'),
    viewer: members.describe('viewers: names, and groups as group:NAME'),
    others: z
      .enum([...ROLES, 'none'])
      .default('none')
      .describe('role of everyone else; none: no access'),
  })
  .prefault({});

const session = z
  .strictObject({
    idle: v.positiveDuration.prefault('1h').describe('a session ends after this long without a request'),
    longest: v.positiveDuration.prefault('12h').describe('a session ends after this long in any case'),
  })
  .transform(({ idle: idleMs, longest: longestMs }) => ({ idleMs, longestMs }))
  .prefault({});

/** The pages of Registrar: where they are, and who may see and do what. */
export const consoleSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .optional()
      .describe('name of this installation, such as Production; shown in each page’s head and title'),
    listen: v
      .checked(listenMistake)
      .optional()
      .describe('address and port where the console is served; default: 127.0.0.1:8480'),
    url: v
      .checked(consoleAddressMistake)
      .meta({ title: 'address' })
      .transform((text) => new URL(text).origin)
      .optional()
      .describe(
        'address where browsers reach the console, such as https://registrar.example; required if other machines reach it',
      ),
    tls: z
      .strictObject({
        certFile: v.text.describe('file with the certificate and its intermediate certificates (PEM)'),
        keyFile: v.text.describe('file with its private key (PEM), readable only by Registrar’s user'),
      })
      .optional()
      .describe('serves the console over HTTPS, without a proxy in front'),
    users: z.array(user).default([]).describe('people who sign in with a password'),
    proxy: proxy.optional().describe('a proxy that authenticates people, and names them in a header'),
    oidc: oidc.optional().describe('an OpenID Connect provider where people sign in'),
    roles: roles.describe('roles of people who sign in through a proxy or a provider'),
    session: session.describe('how long people stay signed in'),
    largestUpload: v.fileSize.prefault('1GB').describe('largest file that people and programs can upload'),
  })
  .superRefine(({ listen, url, users, proxy: inFront, oidc: provider }, context) => {
    users.forEach(({ name }, index) => {
      const other = users.findIndex((one) => isSameUser(one.name, name));
      if (other === index) return;
      const message = 'is already the name of another user (case is ignored); choose another';
      context.addIssue({ code: 'custom', path: ['users', index, 'name'], message });
    });
    if (listen === undefined || isLocalAddress(listen)) return;
    if (users.length === 0 && inFront === undefined && provider === undefined) {
      const message =
        'is reachable from other machines, without a sign-in: set who has access with users (registrar user hash), proxy or oidc';
      context.addIssue({ code: 'custom', path: ['listen'], message });
    }
    if (url === undefined) context.addIssue({ code: 'custom', path: ['url'], message: v.MISSING });
  })
  .transform(({ largestUpload: largestUploadBytes, ...read }) => ({ ...read, largestUploadBytes }))
  .prefault({});

export type ConsoleConfig = z.output<typeof consoleSchema>;

function passwordMistake(text: string): string | null {
  const mistake =
    'is not a password hash. Run registrar user hash NAME --role ROLE to make one. Assume the value that was here has leaked';
  return readPasswordHash(text) === null ? mistake : null;
}

function consoleAddressMistake(address: string): string | null {
  const text = 'has a path; write only scheme, host and port: the console is at the root of its host';
  const mistake = addressMistake(address, 'https://registrar.example');
  return mistake ?? (new URL(address).pathname === '/' ? null : text);
}
