import type { Config, EnvironmentConfig, SourceConfig } from '../../config/schema.js';
import { durationText } from '../../config/values/duration.js';
import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { counted, scrollable } from './words.js';

/** The most sources and environments on the page. */
const MOST = 100;

type Setting = readonly [name: string, value: string];

/** Versions, and the settings that decide how rows were read and sent. No credentials, and no name that gives access. */
export function settings({ versions, run, config, report }: PageFacts): Html {
  const { registrar, node, sqlite, schema } = versions;
  return html`<dl class="facts">
${run === null || run.version === registrar ? '' : fact('Registrar that ran', run.version)}
${fact('Registrar', registrar)}${fact('Node.js', node)}${fact('SQLite', sqlite)}${fact('Ledger schema', schema)}
</dl>
${config === null ? '' : configured(config, new Set(report.files.map(({ source }) => source)))}`;
}

function fact(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function configured(config: Config, seen: ReadonlySet<string>): Html {
  const concerned = config.sources.filter(({ name }) => seen.size === 0 || seen.has(name));
  const names = new Set(concerned.map(({ environment }) => environment));
  const environments = Object.entries(config.environments).filter(([name]) => names.has(name));
  return html`<p class="note">As registrar.yaml says now. What a source doesn’t say is read from its files.</p>
${scrollable(
  'Settings of sources',
  table(
    'Sources',
    concerned.slice(0, MOST).map((source) => [source.name, ofSource(source)]),
  ),
)}
${scrollable(
  'Settings of environments',
  table(
    'Environments',
    environments.slice(0, MOST).map(([name, environment]) => [name, ofEnvironment(environment)]),
  ),
)}
${concerned.length > MOST ? html`<p class="note">${counted(concerned.length - MOST, 'more source')}: see registrar.yaml.</p>` : ''}`;
}

/**
 * A table with one line for each source or environment. Its settings stand in one cell that wraps: a column for each would
 * hide some on most screens.
 */
function table(caption: string, lines: readonly (readonly [string, readonly Setting[]])[]): Html {
  return html`<table class="settings"><caption><span>${caption}</span></caption>
<thead><tr><th scope="col">Name</th><th scope="col">Settings</th></tr></thead>
<tbody>${lines.map(
    ([name, found]) =>
      html`<tr><th scope="row">${name}</th><td><span class="counts">${found
        .filter(([, value]) => value !== '')
        .map(([setting, value]) => html`<span>${setting} <b>${value}</b></span> `)}</span></td></tr>
`,
  )}</tbody></table>`;
}

function ofSource(source: SourceConfig): Setting[] {
  return [
    ['operation', source.operation],
    ['environment', source.environment],
    ['preset', source.preset ?? ''],
    ['timeZone', source.timeZone ?? ''],
    ['dateOrder', source.dateOrder ?? ''],
    ['dateOnly', source.dateOnly],
    ['overlap', source.overlap],
    ['scale', source.scale ?? ''],
    ['scoreUnreadable', source.scoreUnreadable],
    ['amendments', source.amendments],
    ['sameKey', source.sameKey],
  ];
}

function ofEnvironment(environment: EnvironmentConfig): Setting[] {
  const { quota, pace, retry, unknown, exists, recheck } = environment;
  return [
    ['quota', `${quota.requests} per ${durationText(quota.perMs)}`],
    ['reserve', String(quota.reserve)],
    ['pace', pace],
    ['tries', String(retry.tries)],
    ['no answer', unknown],
    ['409 means', exists],
    ['recheck', `${recheck.times} times after ${durationText(recheck.afterMs)}`],
  ];
}
