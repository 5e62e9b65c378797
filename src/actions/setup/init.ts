import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { configJsonSchema } from '../../config/json-schema.js';
import { CONFIG_FILE } from '../../config/load-config.js';
import { OperatorError } from '../../domain/operator-error.js';
import { submitCompletion } from '../../operations/submit-completion.js';
import { writeFileAtomic } from '../../workspace/files/atomic-write.js';
import { openWorkspace as makeFolders } from '../../workspace/folders.js';
import type { CheckedFile } from '../check.js';
import type { Surroundings } from '../context.js';
import { checkSample } from './check-sample.js';
import { readSample } from './read-sample.js';
import { renderConfig, type SampleFindings } from './render-config.js';

/** The workspace to make. */
export interface InitRequest {
  /** The folder of the new workspace; absolute. */
  readonly folder: string;
  /** A real export, absolute; null: none. */
  readonly sample: string | null;
  readonly env: Surroundings['env'];
}

/** A workspace that could be made. */
export interface InitPlan {
  readonly folder: string;
  /** The path of its registrar.yaml; `yaml` is the text. */
  readonly config: string;
  readonly yaml: string;
  /** The name of its one source. */
  readonly source: string;
  /** The IANA zone, which a person must confirm. */
  readonly timeZone: string;
  /** What the sample has shown, and what `check` says about it; null where there was no sample. */
  readonly sample: { readonly findings: SampleFindings; readonly check: CheckedFile } | null;
}

/**
 * Works out the commented registrar.yaml of a new workspace; writes nothing. Throws OperatorError where there is one
 * already.
 */
export async function plan({ folder, sample: file, env }: InitRequest): Promise<InitPlan> {
  const config = join(folder, CONFIG_FILE);
  if (existsSync(config)) throw alreadyThere(config);
  const findings = file === null ? null : await readSample(file, submitCompletion);
  const source = findings === null ? 'academy' : nameFor(findings.fileName);
  const machine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const yaml = renderConfig({
    sourceName: source,
    timeZone: machine,
    ...(findings === null ? {} : { sample: findings }),
  });
  const timeZone = findings?.preset?.timeZone ?? findings?.timeZone?.value ?? machine;
  const sample =
    file === null || findings === null
      ? null
      : { findings, check: await checkSample(file, yaml, folder, source, env) };
  return { folder, config, yaml, source, timeZone, sample };
}

/** Makes the workspace. */
export async function carryOut({ folder, config, yaml, source }: InitPlan): Promise<void> {
  await makeFolders(folder, { sources: [{ name: source }] });
  const schema = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await writeFileAtomic(join(folder, 'registrar.schema.json'), schema);
  await writeFileAtomic(config, yaml);
}

/** A source's name from a file's name: characters that a name can't have become dashes. */
function nameFor(fileName: string): string {
  const stem = basename(fileName, extname(fileName)).toLowerCase();
  const name = stem
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 40);
  return name === '' ? 'academy' : name;
}

function alreadyThere(path: string): OperatorError {
  return new OperatorError({
    operation: 'make a workspace',
    subject: path,
    message: `${path} is there already`,
    hint: 'It is left as it is. Name another folder, or move it away first.',
  });
}
