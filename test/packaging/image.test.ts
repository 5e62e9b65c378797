import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import { durationMs } from '../../src/config/values/duration.js';
import { parseDockerfile, stages } from '../support/image-build.js';
import { document } from '../support/markdown.js';

const [modules, program, final] = stages();
const INSTRUCTIONS = stages().map(({ instructions }) => instructions);

describe('the Dockerfile', () => {
  it('installs dependencies before it copies sources, so that a changed source installs nothing again', () => {
    const copied = (stage = modules) => {
      const install = stage?.instructions.findIndex(({ text }) => text.startsWith('npm ci')) ?? -1;
      expect(install).toBeGreaterThan(0);
      return stage?.instructions.slice(0, install).filter(({ keyword }) => keyword === 'COPY');
    };
    const manifests = [{ keyword: 'COPY', text: 'package.json package-lock.json ./' }];
    expect(copied(modules)).toEqual(manifests);
    expect(copied(program)).toEqual(manifests);
  });

  it('names its user by number, which runAsNonRoot of Kubernetes requires', () => {
    expect(final?.instructions.findLast(({ keyword }) => keyword === 'USER')?.text).toMatch(/^[1-9]\d*:\d+$/);
  });

  it('has one base image with a version and a release of Debian, for what is compiled and where it runs', () => {
    const bases = new Set(stages().map(({ base }) => base));
    expect([...bases]).toEqual([expect.stringMatching(/^node:\d+-[a-z]+-slim$/)]);
  });

  it('copies all that the context has, and nothing else is in the context', () => {
    const wanted = INSTRUCTIONS.flat()
      .filter(({ keyword, text }) => keyword === 'COPY' && !text.startsWith('--from='))
      .flatMap(({ text }) => text.split(' ').slice(0, -1));
    const allowed = document('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(new Set(allowed)).toEqual(new Set(wanted));
  });

  it('is refused by these tests where they could not carry it out', () => {
    expect(() => parseDockerfile('FROM a\nADD b c\n')).toThrow("can't carry out: ADD b c");
  });
});

describe('compose.yaml', () => {
  const { services } = parse(document('compose.yaml')) as {
    services: { registrar: { stop_grace_period: string; volumes: string[] } };
  };

  it('waits longer for the program to stop than a request may take', () => {
    const { deadlineMs } = environmentSchema.parse({
      baseUrl: 'https://platform.example',
      authUrl: 'https://platform.example',
      clientId: 'id',
      clientSecret: 'x',
    });
    expect(durationMs(services.registrar.stop_grace_period)).toBeGreaterThan(deadlineMs + 10_000);
  });

  it('puts the workspace where the image looks for it', () => {
    const [name, place] =
      final?.instructions.find(({ text }) => text.startsWith('REGISTRAR_WORKSPACE='))?.text.split('=') ?? [];
    expect(name).toBe('REGISTRAR_WORKSPACE');
    expect(services.registrar.volumes).toEqual([expect.stringMatching(new RegExp(`:${place}$`))]);
  });
});
