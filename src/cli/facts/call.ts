import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar call`. */
export interface CallOptions extends CommonOptions {
  readonly body?: string;
  readonly scope?: string;
  readonly environment?: string;
}

/** `registrar call`: one request by hand, for people who script. */
export const callFacts: CommandFacts = {
  name: 'call',
  description: 'send one request through the same token, quota, redaction and audit, and print the answer',
  inputs: [{ name: '<method>' }, { name: '<path>' }],
  options: [
    { flags: '--body <file>', description: 'JSON to send; - reads standard input' },
    {
      flags: '--scope <scope>',
      description: 'scope of the token; else by the path: content or completions, read or write',
    },
    { flags: '--environment <name>', description: 'the environment; needed where there are several' },
  ],
  examples: ['registrar call GET /api/v2/groups', 'registrar call POST /api/v2/groups --body group.json'],
};
