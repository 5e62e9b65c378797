import { QUOTA_WINDOWS, type QuotaWindow } from '../../sandbox/quota-meter.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar sandbox`. */
export interface SandboxOptions extends CommonOptions {
  readonly port: number;
  readonly faults: string;
  readonly quota: string;
  readonly quotaWindow: QuotaWindow;
}

/** `registrar sandbox`: the platform of the specification, on a port of this machine. */
export const sandboxFacts: CommandFacts = {
  name: 'sandbox',
  description: 'the platform of the specification on a local port, for trying things out',
  options: [
    {
      flags: '--port <n>',
      description: 'port on 127.0.0.1; 0: any free one',
      parse: wholeNumber,
      default: 8070,
    },
    {
      flags: '--faults <list>',
      description: 'faults to stage, such as latency=50,server-error=0.02,drop-after@30',
      default: '',
    },
    { flags: '--quota <n/time>', description: 'requests allowed per period', default: '70/1m' },
    {
      flags: '--quota-window <kind>',
      description: 'how requests are counted: fixed, aligned, sliding or bucket',
      choices: Object.keys(QUOTA_WINDOWS),
      default: 'fixed',
    },
  ],
  examples: [
    'registrar sandbox --port 8070 --faults latency=200,server-error=0.05',
    'registrar sandbox --quota 20/5s --quota-window sliding',
  ],
};
