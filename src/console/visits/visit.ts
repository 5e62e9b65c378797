import type { Person } from '../../domain/access/role.js';
import type { Decider } from '../../domain/decider.js';
import type { Address } from './address.js';

/** One request of a person whom the console knows. */
export interface Visit {
  readonly person: Person;
  /** False for a viewer: documents come masked, and what can't be masked is refused. */
  readonly seesPeople: boolean;
  /** True for an operator: decisions may be made. */
  readonly mayAct: boolean;
  /** True where the person can sign out: not where the machine or a proxy identifies people. */
  readonly hasSession: boolean;
  /** The request. */
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
  /** What a form has to carry so that no other site can have made it. */
  readonly formToken: string;
  readonly nowMs: number;
  /** The reader's time zone, an IANA name; null: unknown, so UTC. */
  readonly timeZone: string | null;
}

/** A user of the console as the author of decisions and uploads. */
export function deciderOf({ person }: Pick<Visit, 'person'>): Decider {
  return { name: person.name, door: 'console' };
}
