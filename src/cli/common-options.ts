import type { Words } from './options-of.js';

/** Options of every command; `CommonOptions` is what they give. */
export const COMMON_OPTIONS: Words = {
  '--workspace <dir>': 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)',
  '--json': 'one JSON document on stdout',
  '--quiet': 'say nothing but errors',
  '--verbose': 'log every step',
};
