import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/run-command-line.js';

const TOKEN_FORM = {
  grant_type: 'client_credentials',
  client_id: 'sandbox-client',
  client_secret: 'sandbox-secret',
};

it('the sandbox counts as many requests as its setting says', async () => {
  const { authUrl } = await listening(['--quota', '2/1m']);
  const ask = () =>
    fetch(`${authUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(TOKEN_FORM) });
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
});

/** Starts `registrar sandbox` in this process, until the test ends; what it says about itself. */
function listening(args: readonly string[]): Promise<{ readonly authUrl: string }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return new Promise((resolve, reject) => {
    const io = {
      out: (text: string) => {
        const { error, ...about } = JSON.parse(text);
        if (error === undefined) resolve(about);
        else reject(new Error(error.message));
      },
      err: () => {},
      isTerminal: false,
      env: {},
      cwd: '',
    };
    const argv = ['node', 'registrar', 'sandbox', '--port', '0', '--json', '--quiet', ...args];
    runCommandLine(argv, io, { signal: stop.signal, onReload: () => {}, logTo: () => {} }).catch(reject);
  });
}
