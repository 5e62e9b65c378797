import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar alerts`. */
export interface AlertsOptions extends CommonOptions {
  readonly channel?: string;
}

/** `registrar alerts`: what is wrong now, who is told, and whether telling works. */
export const alertsFacts: CommandFacts = {
  name: 'alerts',
  description: 'what is wrong now, and what was told of it last; or try whether alerts arrive',
  inputs: [
    {
      name: '[action]',
      description: 'test: send a test through each channel; without it, open alerts are listed',
      choices: ['test'],
    },
  ],
  options: [{ flags: '--channel <name>', description: 'with test: only this channel' }],
  examples: ['registrar alerts', 'registrar alerts test --channel ops'],
};
