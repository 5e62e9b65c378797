import type { EnvironmentConfig } from '../../config/schema.js';
import { dataFile } from '../../config/values/data-file.js';
import type { Fault, FaultCode, PlacedFault } from '../../domain/environment/fault.js';
import { filledText } from '../../domain/text/filled-text.js';
import { callOf } from '../calls/call-of.js';

export function placedFault(
  { baseUrl, authUrl }: Pick<EnvironmentConfig, 'baseUrl' | 'authUrl'>,
  host: PlacedFault['host'],
  { code, message }: Fault,
): PlacedFault {
  return { code, message, host, address: host === 'api' ? baseUrl : `${authUrl}/oauth/token` };
}

/** What is wrong, the message of it, and where: a sentence without its full stop. */
export function faultReason({ code, message, host, address }: PlacedFault): string {
  return `${faultText({ code, host })}: ${message.replace(/\.$/, '')} (${address})`;
}

/** What is wrong, in our own words alone: "the token host refuses the connection". */
export function faultText({ code, host }: Pick<PlacedFault, 'code' | 'host'>): string {
  return faultAt(code, HOSTS[host].name);
}

/** The same for a host of any name: "hooks.example refuses the connection". */
export function faultAt(code: FaultCode, host: string): string {
  return filledText(texts()[code].reason, { host });
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
  return filledText(texts()[code].remedy, { place, key: `${place}.${key}`, host: name });
}

const HOSTS = {
  api: { name: 'the platform', key: 'baseUrl' },
  token: { name: 'the token host', key: 'authUrl' },
} as const;

const texts =
  dataFile<Readonly<Record<FaultCode, { readonly reason: string; readonly remedy: string }>>>('texts/faults');
