import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands.js';
import { COMMON_OPTIONS, type Word } from '../src/cli/options-of.js';
import { loadConfig } from '../src/config/load-config.js';
import { EQUATIONS } from '../src/domain/balance/equations.js';
import { HELD_CAUSES } from '../src/domain/cause.js';
import { ATTENTION_COLUMNS } from '../src/domain/files/attention-columns.js';
import { UNMATCHED_CODES } from '../src/domain/files/unmatched-file.js';
import { ISSUE_CODES } from '../src/domain/issue.js';
import { EXIT_CODES } from '../src/domain/operator-error.js';
import { OUTCOME_KINDS } from '../src/domain/outcome.js';
import { STATES } from '../src/domain/submission.js';
import { OPERATIONS } from '../src/operations/registry.js';
import { ACCEPTED_COLUMNS } from '../src/report/write-drop-csv.js';
import { FAULT_KINDS } from '../src/sandbox/faults.js';
import { OLDEST_NODE, VERSION } from '../src/version.js';
import { renderConfigReference } from './support/config-reference.js';
import {
  anchors,
  cells,
  document,
  fencesOf,
  namedTwice,
  section,
  table,
  tables,
} from './support/markdown.js';
import { PROGRAM_PACKAGES } from './support/program-packages.js';
import { tempFolder } from './support/temp-folder.js';

const README = document('README.md');
const OPERATE = document('docs/operate.md');
const CORRECT = document('docs/correct.md');
const REFERENCE = document('docs/reference.md');
const DESIGN = document('docs/design.md');
const MANIFEST = JSON.parse(document('package.json')) as {
  version: string;
  engines: { node: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'data/README.md',
  ...readdirSync(new URL('../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`)
    .sort(),
];
/** Where commands are shown to people. */
const SHOWN_IN = [...DOCUMENTS, 'Dockerfile'];

describe('the README', () => {
  it('is short: docs/ has the rest', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(180);
  });

  it('begins with the two commands that a fresh machine needs', () => {
    const [first = ''] = fencesOf(README, 'sh');
    expect(first.split('\n').map((line) => line.replace(/\s*#.*/, ''))).toEqual([
      'npm ci && npm run demo',
      'npm ci && npm test',
      '',
    ]);
  });

  it('leads to each other document', () => {
    const links = [...README.matchAll(/\]\(([^)\s#]+)/g)].map(([, link]) => link);
    const beside = DOCUMENTS.filter((path) => path !== 'README.md' && !path.startsWith('docs/decisions/'));
    expect(beside.filter((path) => !links.includes(path))).toEqual([]);
  });
});

describe('the tables of the documents are those of the program', () => {
  it('commands with their options', () => {
    expect(table(REFERENCE, 'Commands')).toBe(commandTable());
  });

  it('exit codes, in the order in which they apply', () => {
    const rows = EXIT_CODES.map(({ code, name, meaning }) => `| ${code} | ${name} | ${meaning} |`);
    expect(table(REFERENCE, 'Exit codes')).toBe(
      ['| code | name | meaning |', '|---|---|---|', ...rows].join('\n'),
    );
  });

  it('configuration', () => {
    expect(table(REFERENCE, 'Configuration')).toBe(renderConfigReference().trimEnd());
  });

  it('issue codes', () => {
    const rows = Object.entries(ISSUE_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
    expect(table(REFERENCE, 'Issue codes')).toBe(['| code | meaning |', '|---|---|', ...rows].join('\n'));
  });

  it('faults of the sandbox', () => {
    const rows = Object.entries(FAULT_KINDS).map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |`);
    expect(OPERATE).toContain(['| fault | what it is |', '|---|---|', ...rows, ''].join('\n'));
  });

  it.each<[string, number, readonly string[], string]>([
    ['What a report holds', 1, ATTENTION_COLUMNS, OPERATE],
    ['What a report holds', 2, ACCEPTED_COLUMNS, OPERATE],
    ['What a report holds', 3, Object.keys(EQUATIONS), OPERATE],
    ['States', 0, STATES, REFERENCE],
    ['States', 1, OUTCOME_KINDS, REFERENCE],
    ['What stays in an inbox', 0, UNMATCHED_CODES, document('docs/files.md')],
  ])('%s, table %i', (heading, index, names, text) => {
    const named = cells(tables(text, heading)[index] ?? '').map(([name]) => name);
    expect(named.sort()).toEqual([...names].sort());
  });
});

test('docs/files.md has the default values of the program', () => {
  const files = document('docs/files.md');
  const reference = cells(table(REFERENCE, 'Configuration'));
  const defaultOf = (key: string) => reference.find(([name]) => name === key)?.[2];
  for (const [key = '', value] of cells(table(files, 'How large')))
    expect([key, value]).toEqual([key, defaultOf(key)]);
  expect(files).toContain(`for \`stableFor\` (${defaultOf('sources[].stableFor')})`);
  expect(files).toContain(`by default\n\`${defaultOf('sources[].match')}\``);
});

test('the state held names every cause for which a row is held', () => {
  const [, held = ''] = cells(tables(REFERENCE, 'States')[0] ?? '').find(([state]) => state === 'held') ?? [];
  const named = [...held.matchAll(/`?([a-z]+(?:-[a-z]+)*)`/g)].map(([, cause]) => cause);
  expect(named.sort()).toEqual([...HELD_CAUSES].sort());
});

describe('a table names its subject once', () => {
  it.each(DOCUMENTS)('in %s', (path) => {
    expect(namedTwice(document(path))).toEqual([]);
  });

  it('and one that says it twice is found, also where a row is about several', () => {
    const header = '| file | what it is |\n|---|---|\n';
    const rows = ['| `report.html` | a page |', '| | for printing |', '| `a.csv`, `report.html` | both |'];
    const twice = `${header}${rows.join('\n')}\n`;
    expect(namedTwice(twice)).toEqual(['line 5: `report.html`']);
    expect(namedTwice(`${header}${rows[0]}\n\n${header}${rows[0]}\n`)).toEqual([]);
  });
});

describe('the names in documents exist', () => {
  test.each(HELD_CAUSES)('the held reason %s, with what to do', (reason) => {
    const named = cells(table(CORRECT, 'What needs attention, and what to do')).map(([what]) => what);
    expect(named).toContain(`\`${reason}\`, held`);
  });

  test.each(OPERATIONS.flatMap(({ fields }) => fields.map(({ name }) => name)))('the field %s', (name) => {
    expect(section(REFERENCE, 'Configuration')).toContain(`\`${name}\``);
  });

  test('all packages, those of the program in a table; types left out', () => {
    const names = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies }).filter(
      (name) => !name.startsWith('@types/'),
    );
    const forDevelopment = section(DESIGN, 'Dependencies').split('For development:')[1] ?? '';
    const development = [...forDevelopment.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect([...PROGRAM_PACKAGES, ...development].sort()).toEqual(names.sort());
  });

  test('the version of Node.js', () => {
    const oldest = MANIFEST.engines.node.replace('>=', '');
    expect(OLDEST_NODE).toBe(oldest);
    expect(README).toContain(`Node.js ${oldest} or newer`);
    expect(MANIFEST.version).toBe(VERSION);
  });

  test.each(DOCUMENTS)('every link of %s leads somewhere', (path) => {
    const links = [...document(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
    const broken = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        if (!existsSync(new URL(`../${target}`, import.meta.url))) return true;
        return anchor !== undefined && !anchors(document(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('the example of registrar.yaml loads, without a warning', () => {
    const folder = tempFolder();
    const [least = '', schedule = ''] = fencesOf(README, 'yaml');
    writeFileSync(`${folder}/registrar.yaml`, least + schedule);
    const env = { REGISTRAR_CLIENT_ID: 'id', REGISTRAR_CLIENT_SECRET: 'secret' };
    expect(loadConfig(folder, env)).toMatchObject({
      config: {
        sources: [{ name: 'academy-completions' }],
        schedule: [{ do: ['run'] }, { do: ['report'] }, { do: ['backup', 'check'] }],
      },
      warnings: [],
    });
  });
});

describe('commands that are shown', () => {
  it.each(SHOWN_IN)('those of %s exist, with the options shown', (path) => {
    expect(shownCommands(document(path)).map(wrongIn).filter(Boolean)).toEqual([]);
  });

  it('are found', () => {
    expect(shownCommands(CORRECT).length).toBeGreaterThan(10);
    expect(
      shownCommands('```sh\ncd /x; registrar runs --fast || registrar status\n```').map(wrongIn),
    ).toEqual(['registrar runs --fast: there is no such command', null]);
    expect(shownCommands('Say `registrar rerun --al`.').map(wrongIn)).toEqual([
      'registrar rerun --al: there is no option --al',
    ]);
  });

  it('are scripts of package.json where npm runs them', () => {
    const shown = SHOWN_IN.map(document).join('\n');
    const scripts = [...shown.matchAll(/npm (?:run ([\w:]+)|(test))/g)].map(
      ([, run, test]) => run ?? test ?? '',
    );
    expect(scripts.filter((name) => !Object.hasOwn(MANIFEST.scripts, name))).toEqual([]);
  });
});

function commandTable(): string {
  const own = ([flags, about]: [string, string | Word]) => {
    const option = typeof about === 'string' ? { description: about } : about;
    return `| | \`${flags}\` | ${escaped(option.description ?? '')} | ${standard(option)}|`;
  };
  return [
    '| command | option | meaning | default |',
    '|---|---|---|---|',
    '| every command | `-V, --version` | output the version number | |',
    ...Object.entries(COMMON_OPTIONS).map(own),
    ...COMMANDS.flatMap(({ name, description, inputs = {}, options = {} }) => [
      `| \`${['registrar', name, ...Object.keys(inputs)].join(' ')}\` | | ${escaped(description)} | |`,
      ...Object.entries(options).map(own),
    ]),
  ].join('\n');
}

function standard({ isRequired, default: value }: Word): string {
  if (isRequired) return 'required ';
  return [undefined, true, ''].includes(value as undefined) ? '' : `\`${value}\` `;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Command lines of this program in code blocks and code spans. */
function shownCommands(text: string): string[] {
  const isScript = !text.includes('```') && /^FROM /m.test(text);
  const blocks = isScript
    ? [text]
    : ['sh', 'crontab', 'text'].flatMap((language) => fencesOf(text, language));
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code ?? '',
  );
  return [...blocks.flatMap((block) => block.split('\n')), ...spans].flatMap((line) =>
    line
      .replace(/\s#.*$/, '')
      .split(/&&|\|\||[;|]/)
      .map((part) => /(?:^|\s)(registrar [a-z].*)$/.exec(part.trim())?.[1]?.trim() ?? '')
      .map((part) => part.replace(/^registrar (?=registrar )/, ''))
      .filter((part) => part !== ''),
  );
}

/** null: the command line names a command there is, and only options it has. */
function wrongIn(line: string): string | null {
  const [, name, ...rest] = line.split(/\s+/);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (name === 'help' || name === 'version') return null;
  if (!command) return `${line}: there is no such command`;
  const known = Object.keys({ ...COMMON_OPTIONS, ...command.options }).map((flags) => flags.split(' ')[0]);
  const unknown = rest
    .filter((word) => word.startsWith('--'))
    .find((word) => !known.includes(word.split('=')[0]));
  return unknown === undefined ? null : `${line}: there is no option ${unknown}`;
}
