import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { configJsonSchema } from '../../config/json-schema.js';
import { CONFIG_FILE, parseConfig } from '../../config/load-config.js';
import { hostAddress } from '../../config/values/network/address.js';
import { machineTimeZone } from '../../config/values/time-zone.js';
import { guessesIn } from '../../config/yaml/yaml-writer.js';
import { systemClock } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import { collected } from '../../domain/process/series.js';
import { operationNamed } from '../../operations/registry.js';
import { submitCompletion } from '../../operations/submit-completion.js';
import { writeFileAtomic } from '../../workspace/files/durable.js';
import { openWorkspace as makeFolders, workspacePaths } from '../../workspace/folders.js';
import type { ProcessContext } from '../context.js';
import type { Finding } from '../doctor/finding.js';
import { checkSample, readSample } from './read-sample.js';
import { renderConfig } from './render-config.js';
import { requireAnswers, type SetupAnswers, variablesOf } from './setup-answers.js';

export interface InitRequest {
  /** The folder of the new workspace; absolute. */
  readonly folder: string;
  readonly answers: SetupAnswers;
  readonly env: ProcessContext['env'];
}

/**
 * A workspace that could be made: the path and text of its registrar.yaml, what of it a person must confirm (`guesses`), and what
 * the sample has shown, with what `check` says about it; null: there was none.
 */
export type InitPlan = Awaited<ReturnType<typeof plan>>;

/**
 * Reads the sample, and proposes what is still open: the name of the source, and the zone of the preset, of the file or of
 * this machine. Throws OperatorError where the answers or the sample can't be used.
 */
export async function draftOf({ answers, env }: Omit<InitRequest, 'folder'>) {
  requireAnswers(answers, env);
  const { sample = null } = answers;
  const operation = answers.operation === undefined ? submitCompletion : operationNamed(answers.operation);
  const read = sample === null ? null : await readSample(sample, operation, answers);
  const zone = read?.findings.settings.find(({ key }) => key === 'timeZone')?.value;
  return {
    read,
    source: answers.source ?? (sample === null ? 'academy' : nameFor(sample)),
    timeZone: answers.timeZone ?? zone ?? machineTimeZone(),
  };
}

/** Works out the commented registrar.yaml of a new workspace; writes nothing. Throws OperatorError where there is one already. */
export async function plan({ folder, answers, env }: InitRequest) {
  const config = requireNew(folder);
  const { read, source } = await draftOf({ answers, env });
  const { baseUrl, authUrl } = answers;
  const yaml = renderConfig({
    sourceName: source,
    sample: read?.findings,
    answers: {
      ...answers,
      ...(baseUrl === undefined ? {} : { baseUrl: hostAddress('baseUrl', baseUrl) }),
      ...(authUrl === undefined ? {} : { authUrl: hostAddress('authUrl', authUrl) }),
    },
  });
  const sample =
    read === null || !answers.sample
      ? null
      : { findings: read.findings, check: await checkSample(answers.sample, yaml, folder, source, env) };
  return { folder, config, yaml, source, guesses: guessesIn(yaml), answers, sample };
}

export async function carryOut({ folder, config, yaml, source }: InitPlan): Promise<void> {
  await makeFolders(folder, { sources: [{ name: source }] });
  const schema = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await writeFileAtomic(join(folder, 'registrar.schema.json'), schema);
  await writeFileAtomic(config, yaml);
}

/** How a new workspace's platform answers its credentials, or why they were not tested, as the end of a sentence. */
export type PlatformTest = { readonly findings: readonly Finding[] } | { readonly skipped: string };

/** Requests a token with the address and the credentials of a new workspace, and nothing else. */
export async function testPlatform(
  { folder, yaml, answers }: InitPlan,
  env: ProcessContext['env'],
  interrupt: AbortSignal,
): Promise<PlatformTest> {
  const unset = variablesOf(answers).filter((name) => !env[name]);
  if (answers.baseUrl === undefined) return { skipped: 'no address is given' };
  if (unset.length > 0)
    return { skipped: `${unset.join(' and ')} ${unset.length === 1 ? "isn't" : "aren't"} set` };
  const { config } = parseConfig(yaml, folder, env, 'needed');
  const { checkEnvironments } = await import('../doctor/check-environments.js');
  const paths = workspacePaths(folder, config);
  const findings = await collected(checkEnvironments(config, paths, systemClock(), interrupt, false));
  const offline = findings.find(({ check, verdict }) => check === 'connection' && verdict === 'broken');
  return offline === undefined
    ? { findings }
    : { skipped: `the platform can't be reached: ${offline.message}` };
}

/** The path of the registrar.yaml to write. Throws OperatorError where there is one already. */
export function requireNew(folder: string): string {
  const path = join(folder, CONFIG_FILE);
  if (!existsSync(path)) return path;
  const hint = 'It is unchanged. Name another folder, or move it away first.';
  throw errorsOf('make a workspace')(path, `${path} already exists`, hint);
}

/** A source's name from a file's name: characters that a name can't have become dashes. */
function nameFor(file: string): string {
  const stem = basename(file, extname(file)).toLowerCase();
  const name = stem
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 40);
  return name === '' ? 'academy' : name;
}
