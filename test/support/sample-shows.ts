import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_SAMPLES, DEMO_SOURCES, demoConfig } from '../../src/actions/demo/demo.js';
import type { SandboxOptions } from '../../src/sandbox/platform.js';
import { ALTERED } from './altered-texts.js';

/** The samples of data/samples/ that go with each other, and the platform that they are delivered to. */
interface DemoSample {
  readonly source: string;
  readonly file: string;
}

export interface SampleShow {
  readonly operations: readonly string[];
  /** Further settings of the environment, as lines of registrar.yaml. */
  readonly environment: readonly string[];
  /** Its sources in registrar.yaml. */
  readonly sources: string;
  /** Samples by round: those of a round come in once the round before has been delivered. */
  readonly rounds: readonly (readonly DemoSample[])[];
  readonly sandbox: Pick<SandboxOptions, 'altered' | 'faults'>;
}

const COMPLETIONS: SampleShow = {
  operations: ['submit-completion'],
  environment: [],
  sources: DEMO_SOURCES,
  rounds: [DEMO_SAMPLES],
  sandbox: {},
};

const SKILLS: SampleShow = {
  operations: ['add-skills', 'delete-skills'],
  environment: [],
  sources: feed('skills-added', 'add-skills') + feed('skills-removed', 'delete-skills'),
  rounds: [
    [{ source: 'skills-added', file: 'skills-to-add.csv' }],
    [{ source: 'skills-removed', file: 'skills-to-remove.csv' }],
  ],
  sandbox: {},
};

const COURSES: SampleShow = {
  operations: ['create-course', 'update-course', 'delete-course'],
  environment: ['exists: revive'],
  sources:
    feed('courses-created', 'create-course') +
    feed('courses-updated', 'update-course') +
    feed('courses-deleted', 'delete-course'),
  rounds: [
    [{ source: 'courses-created', file: 'courses-to-create.csv' }],
    [{ source: 'courses-updated', file: 'courses-to-update.csv' }],
    [{ source: 'courses-deleted', file: 'courses-to-delete.csv' }],
    [{ source: 'courses-created', file: 'courses-to-revive.csv' }],
  ],
  sandbox: { altered: ALTERED.letters },
};

const GROUPS: SampleShow = {
  operations: ['create-group'],
  environment: [],
  sources: feed('groups', 'create-group'),
  rounds: [[{ source: 'groups', file: 'groups.csv' }]],
  sandbox: { altered: ALTERED.entities },
};

/** Every operation is in one of them. */
export const SAMPLE_SHOWS: readonly SampleShow[] = [COMPLETIONS, SKILLS, COURSES, GROUPS];

function feed(name: string, operation: string): string {
  return `  - name: ${name}
    operation: ${operation}
    environment: main
    stableFor: 0s
`;
}

/** Writes registrar.yaml for these samples. @param url of the platform. */
export function configureShow(root: string, url: string, { environment, sources }: SampleShow): void {
  const config = demoConfig(url, { requests: 70, perMs: 500 });
  const [before = ''] = config.split('sources:\n');
  const lines = environment.map((line) => `    ${line}\n`).join('');
  writeFileSync(join(root, 'registrar.yaml'), `${before}${lines}sources:\n${sources}`);
}

/** Puts samples into their inboxes, which must exist. */
export function dropSamples(root: string, samples: readonly DemoSample[]): void {
  for (const { source, file } of samples) {
    copyFileSync(
      fileURLToPath(new URL(`../../data/samples/${file}`, import.meta.url)),
      join(root, 'inbox', source, file),
    );
  }
}
