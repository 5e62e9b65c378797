import { OPERATIONS } from '../../operations/registry.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';
import { wholeNumber } from '../whole-number.js';

/** Options of `registrar demo`. */
export interface DemoOptions extends CommonOptions {
  readonly rows?: number;
  readonly operation?: string;
}

/** `registrar demo`: the whole flow on sample drops against the embedded sandbox. */
export const demoFacts: CommandFacts = {
  name: 'demo',
  description: 'the whole flow in seconds: sample drops, a throw-away workspace, the embedded sandbox',
  options: [
    {
      flags: '--rows <n>',
      description: 'also deliver a generated drop of this many rows',
      parse: wholeNumber,
    },
    {
      flags: '--operation <name>',
      description: 'show this operation and those that go with it; else completions',
      choices: OPERATIONS.map(({ name }) => name),
    },
  ],
  examples: ['registrar demo', 'registrar demo --operation create-course'],
};
