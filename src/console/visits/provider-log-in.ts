import type { Person } from '../../domain/access/role.js';
import { OperatorError } from '../../domain/operator-error.js';

/** Log-in by a provider, from the browser's way there to its way back. */
export interface ProviderLogIn {
  /**
   * Begins a log-in of the browser with this secret. Throws OperatorError where the provider can't be reached.
   * @param to where the person goes on.
   * @returns the provider's address.
   */
  begin(secret: string, to: string): Promise<string>;
  /** Ends it. Throws OperatorError where it was not begun by this browser, is too old, or the person has no role. @param search of the address that the provider has sent the browser to. */
  finish(
    secret: string | undefined,
    search: string,
  ): Promise<{ readonly person: Person; readonly to: string }>;
}

/** Where registrar.yaml names no provider. */
export const NO_PROVIDER: ProviderLogIn = {
  begin: async () => {
    throw noProvider();
  },
  finish: async () => {
    throw noProvider();
  },
};

function noProvider(): OperatorError {
  return new OperatorError({
    operation: 'log in',
    subject: 'console.oidc',
    message: 'registrar.yaml names no provider to log in at',
  });
}
