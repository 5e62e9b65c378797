import { parseConfig } from '../../config/load-config.js';
import { systemClock } from '../../domain/clock.js';
import { workspacePaths } from '../../workspace/folders.js';
import { type CheckedFile, check } from '../check.js';
import type { Surroundings } from '../context.js';

/** The most issues of rows that a verdict shows. */
const SHOWN_ISSUES = 5;

/** What `check` says about a sample under the configuration that was built from it. */
export async function checkSample(
  file: string,
  yaml: string,
  folder: string,
  source: string,
  env: Surroundings['env'],
): Promise<CheckedFile> {
  const { config } = parseConfig(yaml, folder, env, 'unused');
  const paths = workspacePaths(folder, config);
  return check({ config, paths, clock: systemClock() }, { file, source, limit: SHOWN_ISSUES });
}
