import type { Environment } from '../../env-references.js';

/** The variables that curl, Node and others read; the lower-case ones come first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** HTTPS_PROXY, else HTTP_PROXY; null: none, or a mistake. The address may hold a password. */
export function proxySettings(env: Environment) {
  const address = addressOf(env[variableIn(env)]);
  return address === null ? null : { address, except: env.no_proxy ?? env.NO_PROXY ?? '' };
}

/** What is wrong with the variable that names the proxy, without its value; null: nothing. */
export function proxyMistake(env: Environment): string | null {
  const name = variableIn(env);
  return name === '' || addressOf(env[name]) !== null
    ? null
    : `the environment variable ${name} is not the address of a proxy such as http://proxy.example:3128 (socks isn't known); correct it, or unset it`;
}

/** The name of the variable that counts; '' where none is set. */
function variableIn(env: Environment): string {
  return VARIABLES.find((variable) => (env[variable] ?? '').trim() !== '') ?? '';
}

/** Host and port alone mean http, as everywhere. */
function addressOf(variable = ''): string | null {
  const value = variable.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return hostname !== '' && (protocol === 'http:' || protocol === 'https:') ? address : null;
}
