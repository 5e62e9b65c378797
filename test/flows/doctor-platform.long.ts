import { describe, it } from 'vitest';
import { examinedApart, finds } from '../support/examined.js';
import { at, withMain } from './doctor-platform-setup.js';

describe('doctor names what is wrong with an environment', { timeout: 300_000 }, () => {
  it('a proxy of a kind that is not known', async () => {
    const workspace = await withMain(at('https://platform.test'));
    finds(await examinedApart(workspace, { HTTPS_PROXY: 'socks5://127.0.0.1:9' }), 2, [
      /^broken configuration: .*environment variable HTTPS_PROXY is not the address of a proxy .*correct it, or unset it/,
      /^attention token: skipped: the configuration is invalid\. /,
    ]);
  });
});
