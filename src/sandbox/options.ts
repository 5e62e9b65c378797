import type { SandboxClient } from './access-tokens.js';
import type { Faults } from './faults.js';
import type { UnknownRule } from './learners.js';
import type { SandboxQuota } from './quota-meter.js';
import { type Random, seededRandom } from './seeded-random.js';

/** How the platform behaves; absent options have the defaults of `completeOptions`. */
export interface SandboxOptions {
  readonly clients?: readonly SandboxClient[] | undefined;
  readonly quota?: SandboxQuota | undefined;
  /** True: token requests take a permit of the quota of the client id they name. */
  readonly countTokenRequests?: boolean | undefined;
  readonly tokenLifetimeMs?: number | undefined;
  readonly learners?: UnknownRule | undefined;
  /** How texts come back (specification §2.5): an apostrophe as an HTML entity, or letters without their marks. */
  readonly alters?: 'nothing' | 'entities' | 'letters' | undefined;
  /** Which content exists; the rule's names are content ids. */
  readonly contents?: UnknownRule | undefined;
  /** Answer 409 to a completion that was written before, instead of writing it again. */
  readonly conflictOnRepeat?: boolean | undefined;
  readonly faults?: Faults | undefined;
  /** The chance behind tokens and faults by rate. */
  readonly random?: Random | undefined;
}

/** An option that is undefined counts as absent. */
export function completeOptions(options: SandboxOptions): CompleteOptions {
  const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...SANDBOX_DEFAULTS, random: seededRandom(1), ...defined };
}

export type CompleteOptions = { readonly [K in keyof SandboxOptions]-?: NonNullable<SandboxOptions[K]> };

/** One client with every scope publicly known, the quota of the specification §8, and unknown learners by name. */
const SANDBOX_DEFAULTS = {
  clients: [
    {
      clientId: 'sandbox-client',
      clientSecret: 'sandbox-secret',
      scopes: ['content:read', 'content:write', 'completions:read', 'completions:write'],
    },
  ],
  quota: { requests: 70, perMs: 60_000 },
  countTokenRequests: true,
  tokenLifetimeMs: 30 * 60_000,
  learners: { unknownContaining: 'unknown' },
  alters: 'nothing',
  contents: { unknownContaining: 'unknown' },
  conflictOnRepeat: false,
  faults: {},
} as const satisfies SandboxOptions;
