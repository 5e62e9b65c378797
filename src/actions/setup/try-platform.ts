import { parseConfig } from '../../config/load-config.js';
import { systemClock } from '../../domain/clock.js';
import { collected } from '../../domain/process/series.js';
import { workspacePaths } from '../../workspace/folders.js';
import type { Finding } from '../doctor/finding.js';
import type { InitPlan } from './init.js';
import { variablesOf } from './setup-answers.js';

/** How a new workspace's platform answers its credentials, or why they were not tested, as the end of a sentence. */
export type PlatformTried = { readonly findings: readonly Finding[] } | { readonly skipped: string };

/** Requests a token with the address and the credentials of a new workspace, and nothing else. */
export async function tryPlatform(
  { folder, yaml, answers }: InitPlan,
  env: Readonly<Record<string, string | undefined>>,
  interrupt: AbortSignal,
): Promise<PlatformTried> {
  const unset = variablesOf(answers).filter((name) => !env[name]);
  if (answers.baseUrl === undefined) return { skipped: 'no address is given' };
  if (unset.length > 0)
    return { skipped: `${unset.join(' and ')} ${unset.length === 1 ? "isn't" : "aren't"} set` };
  const { config } = parseConfig(yaml, folder, env, 'needed');
  const { checkEnvironments } = await import('../doctor/check-environments.js');
  const paths = workspacePaths(folder, config);
  const findings = await collected(
    checkEnvironments(config, paths, systemClock(), interrupt, { tokensAlone: true }),
  );
  const offline = findings.find(({ check, verdict }) => check === 'connection' && verdict === 'broken');
  return offline === undefined
    ? { findings }
    : { skipped: `the platform can't be reached: ${offline.message}` };
}
