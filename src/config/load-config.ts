import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsOf } from '../domain/operator-error.js';
import { DENIED_HINT, deniedText, isDenied } from '../domain/process/who-may.js';
import { checkSources, unknownName } from './checks/check-sources.js';
import { type ConfigDraft, draftOf, entriesOf, listOf } from './checks/draft.js';
import { explainIssue } from './checks/explain-issue.js';
import { formatPath, type Mistake } from './checks/mistake.js';
import { ConfigError } from './config-error.js';
import {
  type CredentialsNeed,
  type Environment,
  isOmitted,
  resolveReferences,
  UNSET_LEDGER,
} from './env-references.js';
import { readNamedFiles, withSetting } from './named-files.js';
import { fillPresets } from './presets/preset.js';
import { SCHEDULED } from './schema/schedule-schema.js';
import { type Config, configSchema } from './schema.js';
import { deliveryName } from './values/job-name.js';
import { isLoopback } from './values/network/address.js';
import { proxyMistake } from './values/network/proxy.js';
import { readYaml, type SyntaxMistake, type YamlDocument } from './yaml/yaml-document.js';

export const CONFIG_FILE = 'registrar.yaml';

export interface LoadedConfig {
  /** Unless credentials are unused, every environment has its `clientSecret`, from a variable or a file. */
  readonly config: Config;
  /** Settings that work but should be corrected, one line each, with its place. */
  readonly warnings: readonly string[];
}

/**
 * Reads registrar.yaml of a workspace. Throws one ConfigError with all mistakes; no message holds a secret.
 * @param credentials `unused` for commands that use no platform: they work before credentials, addresses and
 * folders are set, read no secret's file, and need neither proxy nor authorities.
 */
export function loadConfig(
  folder: string,
  env: Environment,
  credentials: CredentialsNeed = 'needed',
): LoadedConfig {
  return parseConfig(readText(folder), folder, env, credentials);
}

/** The ledger's database, however wrong the rest of registrar.yaml is, and although its variable isn't set. */
export function databaseIn(folder: string, env: Environment): Pick<Config, 'ledger' | 'workspace'> {
  try {
    const { value } = resolveReferences(readYaml(readText(folder)).value, env, 'unused');
    const { ledger, workspace } = entriesOf(value);
    if (ledger === undefined) return {};
    return { ledger: typeof ledger === 'string' ? ledger : UNSET_LEDGER, workspace: String(workspace ?? '') };
  } catch {
    return {};
  }
}

/** The same for a text that is to become the file. */
export function parseConfig(
  text: string,
  folder: string,
  env: Environment,
  credentials: CredentialsNeed,
): LoadedConfig {
  const document = readYaml(text);
  const lines = document.syntax.map(({ line, text }) => ({ line, text: `${CONFIG_FILE}:${line}: ${text}` }));
  if (document.value === undefined) throw configError(folder, lines);
  if (document.value === null)
    throw new ConfigError(join(folder, CONFIG_FILE), [`${CONFIG_FILE}: the file is empty`]);

  const { value: written, mistakes } = resolveReferences(document.value, env, credentials);
  const value = fillPresets(written);
  const parsed = configSchema.safeParse(value);
  const draft = draftOf(value, parsed.data);
  const mailChannels = listOf(entriesOf(entriesOf(value).alerts).channels)
    .map(entriesOf)
    .flatMap(({ name, email }) => (email === undefined ? [] : [name]));
  const files = readNamedFiles(value, folder, credentials);
  const judged = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => explainIssue(issue, value)),
    ...checkSharedClients(draft),
    ...checkSources(draft, mailChannels, folder),
    ...(parsed.success ? checkPings(parsed.data) : []),
    ...emptyColumns(draft, document),
    ...files.mistakes,
  ].filter((mistake) => !isOmitted(value, mistake.path));
  for (const mistake of [...mistakes, ...judged]) {
    const line = sentence(mistake, document);
    // A value on a line with a syntax fault would be judged wrongly.
    if (!document.syntax.some((fault) => fault.line === line.line)) lines.push(line);
  }
  const proxy = credentials === 'needed' ? proxyMistake(env) : null;
  if (proxy !== null && leavesMachine(draft.environments)) lines.push({ line: 0, text: proxy });
  if (lines.length > 0 || !parsed.success) throw configError(folder, lines);
  return {
    config: files.settings.reduce((config, [path, text]) => withSetting(config, path, text), parsed.data),
    warnings: files.warnings.map((warning) => sentence(warning, document).text),
  };
}

/** `status: null` says that no column is the status; a forgotten value says nothing, and is a mistake. */
function emptyColumns({ sources }: ConfigDraft, document: YamlDocument): Mistake[] {
  const text =
    'is empty; write the header (in quotes where it begins with #), or null where no column is this field';
  return sources.flatMap(({ columns }, index) =>
    Object.entries(columns ?? {}).flatMap(([field, header]) => {
      const path = ['sources', index, 'columns', field];
      return header === null && document.written(path) === null ? [{ path, text }] : [];
    }),
  );
}

function sentence({ path, text, showValue = false }: Mistake, document: YamlDocument): SyntaxMistake {
  const line = document.line(path);
  const place = path.length === 0 ? 'the file' : formatPath(path);
  const written = showValue ? document.written(path) : null;
  return { line, text: `${CONFIG_FILE}:${line}: ${place}${written === null ? '' : ` ${written}`} ${text}` };
}

function configError(folder: string, lines: readonly SyntaxMistake[]): ConfigError {
  const sorted = [...lines].sort((a, b) => a.line - b.line).map(({ text }) => text);
  return new ConfigError(join(folder, CONFIG_FILE), [...new Set(sorted)]);
}

function leavesMachine(environments: ConfigDraft['environments']): boolean {
  return Object.values(environments).some(({ baseUrl, authUrl }) =>
    [baseUrl, authUrl].some(
      (address) => address?.startsWith('https:') && !isLoopback(new URL(address).hostname),
    ),
  );
}

function readText(folder: string): string {
  const file = join(folder, CONFIG_FILE);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') {
      const hint = 'Write one with registrar init, or name the workspace with --workspace.';
      throw new ConfigError(file, [`${folder} has no ${CONFIG_FILE}`], hint);
    }
    if (isDenied(error)) {
      const message = `${file} can't be read: permission denied; ${deniedText(file)}`;
      throw errorsOf('read the configuration')(file, message, DENIED_HINT, { exit: 'io', cause: error });
    }
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not UTF-8 text; save it as UTF-8'
        : `cannot be read (${code})`;
    throw new ConfigError(file, [`${CONFIG_FILE}: ${why}`]);
  }
}

/** The platform counts per client id, whatever the environment, so one client id has one quota. */
function checkSharedClients(draft: ConfigDraft): Mistake[] {
  const environments = Object.entries(draft.environments).filter(([, { quota }]) => quota !== undefined);
  return environments.flatMap(([name, { clientId, quota }]) => {
    const [other, first] = environments.find(([, one]) => one.clientId === clientId) ?? [];
    if (clientId === undefined || JSON.stringify(first?.quota) === JSON.stringify(quota)) return [];
    const text = `differs from environments.${other}.quota, but ${name} and ${other} have the same client id and the platform counts per client id; give both the same`;
    return [{ path: ['environments', name, 'quota'], text }];
  });
}

function checkPings({ monitor, environments }: Pick<Config, 'monitor' | 'environments'>): Mistake[] {
  const jobs = [...SCHEDULED, 'deliver', ...Object.keys(environments).map(deliveryName)];
  return monitor.pings.flatMap(({ job }, at) =>
    unknownName(job, jobs, jobs.join(', '), ['monitor', 'pings', at, 'job']),
  );
}
