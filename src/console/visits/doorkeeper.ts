import type { IncomingMessage } from 'node:http';
import { sessionPerson } from '../../actions/access/sessions.js';
import type { ActionContext } from '../../actions/context.js';
import type { ConsoleConfig } from '../../config/schema/console-schema.js';
import type { Person } from '../../domain/access/role.js';

/** Somebody the console knows. */
export interface Known {
  readonly person: Person;
  /** True where the person has logged in here, and so can log out. */
  readonly hasSession: boolean;
}

/** Says who asks. */
export interface Doorkeeper {
  /** @param secret of the browser's cookie; undefined where it has none. @returns null for nobody whom the console knows. */
  who(secret: string | undefined, request: IncomingMessage): Promise<Known | null>;
}

/** True where registrar.yaml says who may come in. */
export function asksWho({ users, proxy, oidc }: ConsoleConfig): boolean {
  return users.length > 0 || proxy !== undefined || oidc !== undefined;
}

/**
 * Knows people by their session, or by what a trusted proxy says. Where registrar.yaml names nobody, only this machine reaches the
 * console, and whoever asks is its account.
 */
export function doorkeeperOf(context: () => ActionContext, account: string): Doorkeeper {
  return {
    async who(secret) {
      const { config } = context();
      if (!asksWho(config.console)) return { person: { name: account, role: 'operator' }, hasSession: false };
      const person = secret === undefined ? null : await sessionPerson(context(), secret);
      return person === null ? null : { person, hasSession: true };
    },
  };
}

/** The address of the machine that asks: behind a trusted proxy the last that the proxy has written down. */
export function clientAddress(_config: ConsoleConfig, { socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
