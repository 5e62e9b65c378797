import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { CliResult } from './command-line.js';
import { contextFiles, dockerIgnore } from './docker-ignore.js';
import { REPOSITORY } from './installed-modules.js';
import { IS_ROOT } from './users.js';

/** One line of a Dockerfile, its continuations joined and the variables of ARG put in. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** The lines between one FROM and the next. */
export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** A folder with what the last stage would have made of the base image. */
export interface BuiltImage {
  readonly root: string;
  /** Runs words in it as its user, in its working folder and with its environment. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliResult>;
}

/** A RUN instruction that this machine can't or needn't execute, by its first words, and its replacement. */
export type Instead = Readonly<Record<string, (workFolder: string) => void | Promise<void>>>;

/** The stages of the repository's Dockerfile. */
export function stages(): readonly Stage[] {
  return parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'));
}

/** Reads a Dockerfile as far as ours goes. Throws where it has something else. */
export function parseDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const variables = new Map<string, string>();
  const found: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!KNOWN.includes(keyword)) throw new Error(`the test can't carry out: ${line}`);
    if (keyword === 'ARG') {
      if (found.length > 0) throw new Error(`the test knows ARG only before the first FROM: ${line}`);
      const [name = '', value = ''] = rest.split('=');
      variables.set(name, value);
    } else if (keyword === 'FROM') {
      const full = rest.replace(/\$\{(\w+)\}/g, (_, name: string) => variables.get(name) ?? '');
      const [base = '', , name = String(found.length)] = full.split(/\s+/);
      found.push({ name, base, instructions: [] });
    } else found.at(-1)?.instructions.push({ keyword, text: rest });
  }
  return found;
}

const KNOWN = ['ARG', 'FROM', 'RUN', 'COPY', 'WORKDIR', 'ENV', 'USER', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

/** Folders of the repository that the context leaves out and that are too large to look through. */
const NOT_LOOKED_THROUGH = ['.git', 'node_modules'];

/**
 * Makes the context that .dockerignore leaves of the repository, and carries the Dockerfile out in it: each stage is a
 * folder that replaces the root of its file system, and holds its absolute paths. The base image is this machine.
 * @param folder an empty one to build in.
 */
export async function buildImage(folder: string, instead: Instead): Promise<BuiltImage> {
  // For the user of the image, who is another one.
  chmodSync(folder, 0o755);
  const context = join(folder, 'context');
  const isIgnored = dockerIgnore(readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8'));
  for (const path of contextFiles(REPOSITORY, isIgnored, NOT_LOOKED_THROUGH)) {
    cpSync(join(REPOSITORY, path), join(context, path));
    // As a checkout under umask 077 leaves it.
    chmodSync(join(context, path), 0o600);
  }
  const unused = new Set(Object.keys(instead));
  let last: StageState | null = null;
  for (const stage of stages()) {
    const root = join(folder, 'stages', stage.name);
    for (const path of ['usr/local/bin', 'tmp']) mkdirSync(join(root, path), { recursive: true });
    const state: StageState = { root, workFolder: '/', user: null, env: {} };
    for (const instruction of stage.instructions) {
      await carryOut(instruction, state, { context, stages: join(folder, 'stages'), instead, unused });
    }
    last = state;
  }
  if (unused.size > 0) throw new Error(`the Dockerfile has no such step: ${[...unused].join('; ')}`);
  if (last === null) throw new Error('the Dockerfile has no stage');
  const { root, workFolder, user, env } = last;
  return {
    root,
    run: (words, more = {}) =>
      execute(words, join(root, workFolder), { ...environmentOf(root, env), ...more }, user),
  };
}

interface StageState {
  readonly root: string;
  workFolder: string;
  /** null: who runs the test. */
  user: number | null;
  readonly env: Record<string, string>;
}

interface BuildPlaces {
  readonly context: string;
  readonly stages: string;
  readonly instead: Instead;
  readonly unused: Set<string>;
}

async function carryOut({ keyword, text }: Instruction, state: StageState, places: BuildPlaces) {
  if (keyword === 'WORKDIR') {
    state.workFolder = text;
    mkdirSync(join(state.root, text), { recursive: true });
  } else if (keyword === 'ENV') {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
    state.env[name] = value.startsWith('/') ? join(state.root, value) : value;
  } else if (keyword === 'USER') state.user = Number(text.split(':')[0]);
  else if (keyword === 'COPY') await copy(text, state, places);
  else if (keyword === 'RUN') await runStep(text, state, places);
}

/** As Docker does: a folder's content is copied, a file to a folder whose name ends with a slash keeps its name. */
async function copy(text: string, state: StageState, places: BuildPlaces): Promise<void> {
  const words = text.split(/\s+/);
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const from = stage === undefined ? places.context : join(places.stages, stage);
  const to = words.pop() ?? '';
  const target = to.startsWith('/') ? join(state.root, to) : resolve(state.root, `.${state.workFolder}`, to);
  for (const word of words) {
    const source = join(from, word);
    if (!existsSync(source)) throw new Error(`COPY ${text}: ${word} is not there`);
    const isInto = to.endsWith('/') && !statSync(source).isDirectory();
    const place = isInto ? join(target, basename(word)) : target;
    // No step changes a file that another stage has: so many files are linked, not written.
    const done = await execute(['cp', '-alT', source, place], from, process.env, null);
    if (done.code !== 0) throw new Error(`COPY ${text}: ${done.stderr}`);
  }
}

async function runStep(text: string, state: StageState, { instead, unused }: BuildPlaces): Promise<void> {
  const workFolder = join(state.root, state.workFolder);
  const replaced = Object.entries(instead).find(([begin]) => text.startsWith(begin));
  if (replaced) {
    unused.delete(replaced[0]);
    await replaced[1](workFolder);
    return;
  }
  const inRoot = text.replace(/(?<=\s)\/(?=\w)/g, `${state.root}/`);
  // Only root can give a folder to another user; without that, the user of the test replaces the image's user.
  const command = IS_ROOT ? inRoot : inRoot.replace(/ -[og] \d+/g, '');
  const done = await execute(['sh', '-c', command], workFolder, environmentOf(state.root, state.env), null);
  if (done.code !== 0) throw new Error(`RUN ${text}\nended with ${done.code}:\n${done.stdout}${done.stderr}`);
}

/** What a step sees of the environment: the stage's own, and what npm on this machine is set up with. */
function environmentOf(root: string, own: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => OF_THE_NETWORK.test(name));
  const { PATH = '', HOME = '' } = process.env;
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: `${join(root, 'usr/local/bin')}:${PATH}`,
    HOME,
    NO_COLOR: '1',
    ...own,
  };
}

const OF_THE_NETWORK =
  /^(?:https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(?:registry|userconfig|cache))$/i;

function execute(
  [program = '', ...rest]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  user: number | null,
): Promise<CliResult> {
  const as = user === null || !IS_ROOT ? {} : { uid: user, gid: user };
  return new Promise((resolveResult, reject) => {
    const child = spawn(program, rest, { cwd, env, ...as, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      stdout += part;
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
    });
    child.on('error', reject);
    child.on('close', (code) => resolveResult({ code, stdout, stderr }));
  });
}
