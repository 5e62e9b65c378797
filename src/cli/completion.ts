import { homedir } from 'node:os';
import { readWorkspace } from '../actions/context.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Answer, Call } from './command.js';
import { type NamesOf, offersFor } from './offers.js';
import { SHELL_SCRIPTS } from './shell-scripts.js';

/** Carries `registrar completion` out. */
export async function answer({ inputs: [what = '', ...words], io, commands }: Call): Promise<Answer> {
  if (what !== 'offers') {
    const script = SHELL_SCRIPTS[what as keyof typeof SHELL_SCRIPTS];
    return { document: () => ({ script, offers: null }), text: () => script };
  }
  const namesOf: NamesOf = (names, workspace) => {
    try {
      // A shell gives the word as it is typed.
      const folder = workspace?.replace(/^~(?=\/|$)/, io.env.HOME ?? homedir());
      const { sources, environments } = readWorkspace(folder, io, 'unused').config;
      return names === 'sources' ? sources.map(({ name }) => name) : Object.keys(environments);
    } catch (error) {
      if (error instanceof OperatorError) return [];
      throw error;
    }
  };
  const offers = offersFor(
    words.map((word) => word ?? ''),
    commands,
    namesOf,
  );
  const lines =
    typeof offers === 'string' ? [`:${offers}`] : offers.map((offer) => offer.join('  ').trimEnd());
  return {
    document: () => ({ script: null, offers: lines }),
    text: () => lines.map((line) => `${line}\n`).join(''),
  };
}
