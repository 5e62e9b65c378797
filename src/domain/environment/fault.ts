/** Why an environment can't be used. The ledger's CHECK and this list are compared by a test. */
export const FAULT_CODES = [
  'connection-refused',
  'name-unknown',
  'unreachable',
  'connect-timeout',
  'plain-http',
  'certificate-untrusted',
  'certificate-name',
  'certificate-expired',
  'tls-closed',
  'tls-failed',
  'proxy',
  'connection-lost',
  'no-answer',
  'not-http',
  'credentials',
  'token-refused',
  'scope',
  'address',
  'server-error',
  'throttled',
  'refused',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** Why requests get no sound answer, whatever they are about. */
export interface Fault {
  readonly code: FaultCode;
  /** `connect ECONNREFUSED 127.0.0.1:8070`: nothing personal, no secret. */
  readonly message: string;
}

/** Of `baseUrl`, and of `authUrl`. */
export const FAULT_HOSTS = ['api', 'token'] as const;

export interface PlacedFault extends Fault {
  readonly host: (typeof FAULT_HOSTS)[number];
  /** For the API only `baseUrl`, because a path may name a person. */
  readonly address: string;
}
