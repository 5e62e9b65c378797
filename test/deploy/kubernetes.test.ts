import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load-config.js';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import { once } from '../../src/domain/process/once.js';
import { stages } from '../support/image-build.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { tempFolder } from '../support/temp-folder.js';

const FOLDER = join(REPOSITORY, 'deploy/kubernetes');

/** Where the types of each kind are, as Kubernetes' own description of its API gives them. */
const TYPES: Readonly<Record<string, string>> = {
  'apps/v1 Deployment': 'kubernetes-types/apps/v1',
  'batch/v1 CronJob': 'kubernetes-types/batch/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'kubernetes-types/networking/v1',
  'v1 PersistentVolumeClaim': 'kubernetes-types/core/v1',
  'v1 Secret': 'kubernetes-types/core/v1',
  'v1 Service': 'kubernetes-types/core/v1',
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels };
  // biome-ignore lint/suspicious/noExplicitAny: the compiler checks the shape, below
  readonly spec: any;
  readonly stringData?: Readonly<Record<string, string>>;
}

type Labels = Readonly<Record<string, string>>;

/** Every manifest by its file, without what kustomize alone reads. */
const MANIFESTS: readonly (readonly [string, Manifest])[] = ['common', 'service', 'cron'].flatMap((folder) =>
  readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.yaml') && !['kustomization.yaml', 'registrar.yaml'].includes(name))
    .flatMap((name) =>
      manifestsIn(join(folder, name)).map((manifest) => [`${folder}/${name}`, manifest] as const),
    ),
);

function manifestsIn(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(FOLDER, path), 'utf8')).map((document) => {
    expect([path, document.errors, document.warnings]).toEqual([path, [], []]);
    return document.toJS() as Manifest;
  });
}

function named(kind: string): Manifest {
  const found = MANIFESTS.find(([, manifest]) => manifest.kind === kind)?.[1];
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

/** The pods that are made, each with the labels they have. */
const PODS = [
  ['Deployment', named('Deployment').spec.template],
  ['CronJob', named('CronJob').spec.jobTemplate.spec.template],
] as const;

const SERVICE_POD = PODS[0][1];

/** The manifest of the service with a change that the compiler has to find fault with. */
function broken(change: (spec: Manifest['spec']) => void): Manifest {
  const manifest = structuredClone(named('Deployment'));
  change(manifest.spec);
  return manifest;
}

const BROKEN = [
  broken((spec) => (spec.template.spec.terminationGracePeriod = 60)),
  broken((spec) => delete spec.selector),
  broken((spec) => (spec.replicas = '1')),
];

/** The compiler's errors for the manifests as values of Kubernetes' types, and for each of the broken ones. */
const compiled = once(() => {
  const folder = tempFolder();
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const declare = (name: string, manifests: readonly Manifest[]) => {
    const lines = manifests.map((manifest, index) => {
      const module = TYPES[`${manifest.apiVersion} ${manifest.kind}`];
      if (module === undefined)
        throw new Error(`no type is known for ${manifest.apiVersion} ${manifest.kind}`);
      return `export const m${index}: import('${module}.js').${manifest.kind} = ${JSON.stringify(manifest)};\n`;
    });
    writeFileSync(join(folder, name), lines.join(''));
  };
  declare(
    'manifests.ts',
    MANIFESTS.map(([, manifest]) => manifest),
  );
  declare('broken.ts', BROKEN);
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--lib',
    'es2023',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, [...options, 'manifests.ts', 'broken.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  // What it says further of a fault is indented.
  const faults = stdout.split(/\n(?=\S)/);
  const ofLine = (line: number) =>
    faults.filter((fault) => fault.startsWith(`broken.ts(${line},`)).join('\n');
  return {
    faults: faults.filter((fault) => !fault.startsWith('broken.ts(')),
    ofBroken: BROKEN.map((_, index) => ofLine(index + 1)),
  };
});

it('every manifest has the fields that Kubernetes knows, all that it needs, and no other', () => {
  expect(MANIFESTS.map(([path]) => path)).toHaveLength(6);
  expect(compiled().faults).toEqual([]);
});

it('an unknown field, a missing one and one of another type are reported', () => {
  expect(compiled().ofBroken).toEqual([
    expect.stringContaining('terminationGracePeriod'),
    expect.stringContaining('selector'),
    expect.stringContaining('number'),
  ]);
});

describe('the names that one manifest uses of another', () => {
  const { configMapGenerator, resources } = parse(
    readFileSync(join(FOLDER, 'common/kustomization.yaml'), 'utf8'),
  ) as { configMapGenerator: { name: string; files: string[] }[]; resources: string[] };

  it('exist: volumes, credentials, ports', () => {
    for (const [, { spec }] of PODS) {
      const [container] = spec.containers;
      const volumes = new Map<string, Record<string, Record<string, string>>>(
        spec.volumes.map((volume: { name: string }) => [volume.name, volume]),
      );
      const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
      expect(new Set(mounted)).toEqual(new Set(volumes.keys()));
      expect(volumes.get('workspace')?.persistentVolumeClaim?.claimName).toBe(
        named('PersistentVolumeClaim').metadata.name,
      );
      expect(volumes.get('config')?.configMap?.name).toBe(configMapGenerator[0]?.name);
      expect(container.envFrom).toEqual([{ secretRef: { name: named('Secret').metadata.name } }]);
    }
    const [port] = SERVICE_POD.spec.containers[0].ports;
    const [served] = named('Service').spec.ports;
    expect([served.targetPort, served.port]).toEqual([port.name, port.containerPort]);
    expect(SERVICE_POD.spec.containers[0].args).toContain(`0.0.0.0:${port.containerPort}`);
    expect(named('NetworkPolicy').spec.ingress[0].ports).toEqual([{ port: port.name, protocol: 'TCP' }]);
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (name) => SERVICE_POD.spec.containers[0][name].httpGet,
    );
    expect(probes.map(({ port, path }) => [port, path])).toEqual([
      ['metrics', '/healthz'],
      ['metrics', '/healthz'],
      ['metrics', '/healthz'],
    ]);
  });

  it('are labels that select what they should: the service its own pods, the policy all', () => {
    const selects = (selector: Labels, labels: Labels) =>
      Object.entries(selector).every(([name, value]) => labels[name] === value);
    const [service, run] = PODS.map(([, template]) => template.metadata.labels as Labels);
    if (service === undefined || run === undefined) throw new Error('no pods');
    for (const selector of [named('Deployment').spec.selector.matchLabels, named('Service').spec.selector]) {
      expect([selects(selector, service), selects(selector, run)]).toEqual([true, false]);
    }
    const { matchLabels } = named('NetworkPolicy').spec.podSelector;
    expect([selects(matchLabels, service), selects(matchLabels, run)]).toEqual([true, true]);
  });

  it('are files of kustomize that exist, and every manifest but the example of a secret is applied', () => {
    const applied = ['common', 'service', 'cron'].flatMap((folder) => {
      const { resources } = parse(readFileSync(join(FOLDER, folder, 'kustomization.yaml'), 'utf8')) as {
        resources: string[];
      };
      expect(resources.includes('../common')).toBe(folder !== 'common');
      return resources.filter((name) => name !== '../common').map((name) => `${folder}/${name}`);
    });
    const there = MANIFESTS.map(([path]) => path).filter((path) => !path.endsWith('.example.yaml'));
    expect([...applied].sort()).toEqual([...there].sort());
    expect(resources).not.toContain('secret.example.yaml');
    expect(configMapGenerator.flatMap(({ files }) => files)).toEqual(['registrar.yaml']);
  });
});

it('no manifest holds a secret', () => {
  expect(Object.values(named('Secret').stringData ?? {})).toEqual(['', '']);
});

it('the pods run without any right, as the image’s user, on a disk that they can’t write but for the workspace and /tmp', () => {
  const user = stages()
    .at(-1)
    ?.instructions.findLast(({ keyword }) => keyword === 'USER')?.text;
  for (const [, { spec }] of PODS) {
    const { runAsUser, runAsGroup, ...others } = spec.securityContext;
    expect(`${runAsUser}:${runAsGroup}`).toBe(user);
    expect(others).toMatchObject({
      runAsNonRoot: true,
      fsGroup: runAsGroup,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const writable = container.volumeMounts.flatMap(
      ({ mountPath, readOnly }: { mountPath: string; readOnly?: boolean }) => (readOnly ? [] : [mountPath]),
    );
    expect(writable).toEqual(['/workspace', '/tmp']);
  }
});

it('a pod is given longer to stop than a request may take, and no second one begins meanwhile', () => {
  const { deadlineMs } = environmentSchema.parse({
    baseUrl: 'https://a.example',
    authUrl: 'https://a.example',
    clientId: 'x',
    clientSecret: 'x',
  });
  for (const [, { spec }] of PODS)
    expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(deadlineMs + 10_000);
  expect(named('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
  expect(named('CronJob').spec.concurrencyPolicy).toBe('Forbid');
});

it('the registrar.yaml in the manifests is valid', () => {
  const { config } = loadConfig(join(FOLDER, 'common'), {
    REGISTRAR_CLIENT_ID: 'x',
    REGISTRAR_CLIENT_SECRET: 'y',
  });
  expect(config.schedule.map(({ do: what }) => what)).toEqual([['run'], ['report']]);
});
