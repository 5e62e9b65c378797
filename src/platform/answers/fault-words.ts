import type { EnvironmentConfig } from '../../config/schema.js';
import type { Fault, FaultCode, PlacedFault } from '../../domain/environment/fault.js';
import { callOf } from '../calls/call-of.js';

/** The fault with the address that the request went to. */
export function placedFault(
  { baseUrl, authUrl }: Pick<EnvironmentConfig, 'baseUrl' | 'authUrl'>,
  host: PlacedFault['host'],
  { code, said }: Fault,
): PlacedFault {
  return { code, said, host, address: host === 'api' ? baseUrl : `${authUrl}/oauth/token` };
}

/** What is wrong, in which words it was said, and where: a sentence without its full stop. */
export function faultReason({ code, said, host, address }: PlacedFault): string {
  return `${faultInWords({ code, host })}: ${said.replace(/\.$/, '')} (${address})`;
}

/** What is wrong, in our own words alone: "the token host refuses the connection". */
export function faultInWords({ code, host }: Pick<PlacedFault, 'code' | 'host'>): string {
  return faultAt(code, HOSTS[host].name);
}

/** The same for a host of any name: "hooks.example refuses the connection". */
export function faultAt(code: FaultCode, host: string): string {
  return filled(REASONS[code], { host });
}

/** The same for one operation, named by the scope it needs; for `operation` null: for the whole environment. */
export function outageReason(operation: string | null, fault: PlacedFault): string {
  if (operation === null) return faultReason(fault);
  return `${operation} needs the scope ${callOf(operation).scope}, and ${faultReason(fault)}`;
}

/** What to do about a fault of the environment with this name, in sentences. */
export function faultRemedy(environment: string, { code, host }: Pick<PlacedFault, 'code' | 'host'>): string {
  const place = `environments.${environment}`;
  const { name, key } = HOSTS[host];
  return filled(REMEDIES[code], { place, key: `${place}.${key}`, host: name });
}

const HOSTS = {
  api: { name: 'the platform', key: 'baseUrl' },
  token: { name: 'the token host', key: 'authUrl' },
} as const;

/** `{host}` and the like are replaced. */
function filled(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
}

const REASONS: Readonly<Record<FaultCode, string>> = {
  'connection-refused': '{host} refuses the connection',
  'name-unknown': 'the name of {host} has no address',
  unreachable: 'there is no way from this machine to {host}',
  'connect-timeout': "{host} doesn't take the connection in time",
  'plain-http': '{host} speaks no TLS on this port',
  'certificate-untrusted': 'the certificate of {host} is not signed by an authority this machine trusts',
  'certificate-name': 'the certificate of {host} is for another name',
  'certificate-expired': "the certificate of {host} isn't valid today",
  'tls-closed': '{host} closes the connection before TLS is set up',
  'tls-failed': 'no TLS connection to {host} comes about',
  proxy: 'the proxy makes no connection to {host}',
  'connection-lost': '{host} closes the connection without an answer',
  'no-answer': "{host} doesn't answer in time",
  'not-http': 'what answers for {host} is not HTTP',
  credentials: "{host} refuses the client id or secret, or a scope that the client id doesn't own",
  'token-refused': '{host} refuses the token that it was given',
  scope: "{host} doesn't let the client id do this",
  address: 'what answers is not the interface of {host}',
  'server-error': '{host} fails on every request',
  throttled: '{host} answers nothing but 429',
  refused: '{host} refuses every request',
};

const THEIRS = 'Nothing is to be done here: rows wait, and each run tries again.';

/** `{key}`: the setting of the host's address. `{place}`: the environment. */
const REMEDIES: Readonly<Record<FaultCode, string>> = {
  'connection-refused':
    'Nothing listens at that host and port, or a firewall is in between: correct {key} in registrar.yaml, or see to it that the host is up.',
  'name-unknown':
    "Look for a typo in {key} of registrar.yaml. If it is right, this machine's name service (DNS) doesn't know it; where only a proxy does, set HTTPS_PROXY.",
  unreachable:
    "Check this machine's network and firewall, and {key} in registrar.yaml. Where the way out is a proxy, set HTTPS_PROXY.",
  'connect-timeout':
    "A firewall may drop it, or the host is down: check {key} in registrar.yaml and this machine's way out. Where that is a proxy, set HTTPS_PROXY.",
  'plain-http':
    'Correct {key} in registrar.yaml: it says https, and the port answers in plain http or another protocol. Write the port of https; http:// is for this machine alone.',
  'certificate-untrusted':
    "Where {host} belongs to an authority of your own, or a proxy signs for it, write that authority's certificate into a PEM file and name it in {place}.caFile of registrar.yaml. Otherwise the connection may be intercepted: check with the platform's operator.",
  'certificate-name':
    'Write the name that the certificate has in {key} of registrar.yaml; an address of digits seldom is in one. If the name is right, ask who runs the host.',
  'certificate-expired':
    "Check this machine's clock; if it is right, the administrator of {host} must renew the certificate.",
  'tls-closed':
    "When other environments work, {key} or the credentials of {place} likely don't belong to this one. Otherwise something in between, such as a firewall or a proxy, cuts it.",
  'tls-failed': 'Check {key} in registrar.yaml, and ask who runs the host which versions of TLS it speaks.',
  proxy:
    'Check HTTPS_PROXY (or HTTP_PROXY): its host, port, user name and password, and whether it lets this host through. Hosts in NO_PROXY are reached without it.',
  'connection-lost':
    "When other environments work, {key} or the credentials of {place} likely don't belong to this one. Otherwise ask who runs the host.",
  'no-answer': `${THEIRS} If it is always that slow, set a longer {place}.deadline.`,
  'not-http': 'Check host and port of {key} in registrar.yaml.',
  credentials:
    'Check clientId and clientSecret of {place} against what was issued for this environment, and whether the client id has the scope; registrar doctor checks again.',
  'token-refused':
    'Check authUrl and baseUrl of {place} in registrar.yaml: they likely belong to different installations.',
  scope:
    'Have the scope added to the client id of {place}, by its issuer. Rows of other operations are still delivered.',
  address: 'Check {key} in registrar.yaml, and whether a sign-in page or a proxy is in between.',
  'server-error': `${THEIRS} If it lasts, ask the administrator of {host}.`,
  throttled:
    'Another program may be using the client id: give Registrar one of its own, or a smaller {place}.quota.',
  refused: 'Check {key} in registrar.yaml; if it is right, ask the administrator of {host}.',
};
