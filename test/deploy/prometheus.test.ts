import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { metricsReader } from '../../src/actions/monitor/read-metrics.js';
import { systemClock } from '../../src/domain/clock.js';
import { healthFrom } from '../../src/domain/health/health.js';
import { exposition, FAMILIES, type MetricsInput, processMetrics } from '../../src/monitor/metrics.js';
import { actionContext } from '../support/action-context.js';
import { document } from '../support/markdown.js';
import { ACCEPTED, deliverNext, mustLease, stage, testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

const RULES = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url));

const PROMTOOL = { tags: ['promtool'] };

function promtool(args: readonly string[], input = ''): string {
  const options = { input, cwd: dirname(RULES), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('promtool', args, options);
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  return stdout + stderr;
}

/** Every metric that a service serves, each with a sample. */
async function served(): Promise<string> {
  const ledger = testLedger(systemClock());
  const { runId } = await stage(ledger, [{}, { user: 'other@x.example' }]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
  const context = actionContext(ledger);
  const { main } = context.config.environments;
  if (main === undefined) throw new Error('no environment');
  const timed = { main: { ...main, deliverBy: '18:00', timeZone: 'UTC' } };
  const read = metricsReader(() => ({ ...context, config: { ...context.config, environments: timed } }));
  const at = '2026-03-02T08:00:00.000Z';
  const input: MetricsInput = {
    values: await read(),
    health: healthFrom([], [{ part: 'disk', subject: 'registrar' }], []),
    jobs: [{ name: 'run', lastSuccessAt: at, lastEnd: 'done', isUnderWay: false, nextAt: at }],
    environments: ['main'],
    sources: ['academy'],
    nowMs: systemClock().nowMs(),
  };
  return (await exposition(input, processMetrics())).text;
}

/** The names of metrics in a text. */
function namesIn(text: string): string[] {
  return [...new Set(text.match(/\b(registrar|nodejs|process)_[a-z0-9_]+/g))].sort();
}

it(
  'promtool finds no fault in the metrics, and every one of docs/monitoring.md is served',
  PROMTOOL,
  async () => {
    const text = await served();
    promtool(['check', 'metrics'], text);
    const missing = FAMILIES.filter(({ name }) => !new RegExp(`^${name}(\\{.*\\})? `, 'm').test(text));
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
);

it(
  'promtool accepts the alert rules and each expression of the dashboard, and each alert fires as its test says',
  PROMTOOL,
  () => {
    const rules = dashboardExpressions().map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(instance|environment)/g, '.*'),
    }));
    const panels = join(tempFolder(), 'panels.yml');
    writeFileSync(panels, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const output = promtool(['check', 'rules', 'alerts.yml', panels]);
    expect(output.match(/SUCCESS: \d+ rules found/g)).toHaveLength(2);
    promtool(['test', 'rules', 'alerts.test.yml']);
  },
);

it('every alert rule has a test in which it fires', () => {
  const alerts = [...document('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const tested = document('deploy/prometheus/alerts.test.yml');
  const fires = (name: string | undefined) =>
    new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n`).test(tested);
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter((name) => !fires(name))).toEqual([]);
});

it('the rules and the dashboard name metrics that are served, with labels that they have', async () => {
  const text = await served();
  const known = namesIn(text);
  for (const [path, expressions] of [
    ['deploy/prometheus/alerts.yml', document('deploy/prometheus/alerts.yml')],
    ['deploy/grafana/registrar.json', dashboardExpressions().join('\n')],
  ] as const) {
    expect([path, namesIn(expressions).filter((name) => !known.includes(name))]).toEqual([path, []]);
    for (const [, name = '', selector = ''] of expressions.matchAll(/\b(registrar_[a-z_]+)\{([^}]*)\}/g)) {
      const family = FAMILIES.find((one) => one.name === name);
      const labels = [...selector.matchAll(/(\w+)\s*(?:=|!|=~)/g)].map(([, label]) => label);
      expect([
        name,
        labels.filter((label) => label !== 'instance' && !family?.labels.includes(label ?? '')),
      ]).toEqual([name, []]);
    }
  }
});

it('every metric of the service is on the dashboard', () => {
  const drawn = namesIn(dashboardExpressions().join('\n'));
  expect(FAMILIES.map(({ name }) => name).filter((name) => !drawn.includes(name))).toEqual([
    'registrar_ledger_readable',
  ]);
});

/** The expressions of all panels. */
function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(document('deploy/grafana/registrar.json')) as {
    panels: { id: number; title: string; targets?: { expr: string }[] }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}
