import { dirname } from 'node:path';
import type { ActionContext } from '../../src/actions/context.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { workspacePaths } from '../../src/workspace/folders.js';

const CONFIG = configSchema.parse({
  environments: {
    main: {
      baseUrl: 'https://platform.example',
      authUrl: 'https://login.platform.example',
      clientId: 'x',
      clientSecret: 'y',
    },
  },
  sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main' }],
});

/** What an action works on, for a ledger of a test: one source and one unreachable environment, unless the test says otherwise. */
export function actionContext(ledger: Ledger, config: Partial<Config> = {}): ActionContext {
  return {
    ledger,
    clock: ledger.clock,
    env: null,
    config: { ...CONFIG, ...config },
    paths: workspacePaths(dirname(ledger.beside)),
  };
}
