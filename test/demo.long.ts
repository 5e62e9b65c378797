import { expect, it } from 'vitest';
import { commandLine } from './support/command-line.js';
import { differences } from './support/json-document.js';
import { document, section } from './support/markdown.js';
import { tempFolder } from './support/temp-folder.js';
import { documentOf } from './support/workspace.js';

// Its quota is of five seconds: on a machine that is too busy another request may be throttled.
it('the demo prints the output that the README shows', { retry: 1 }, async () => {
  const { code, stdout } = await commandLine(['demo'], { cwd: tempFolder() });
  expect(code).toBe(0);
  const shown = /```text\n([\s\S]*?)```/.exec(section(document('README.md'), 'Quick start'))?.[1] ?? '';
  const printed = stdout.split('\n');
  // The README shows some of the lines, in their order.
  for (const line of shown.trimEnd().split('\n')) {
    expect(printed).toContain(line);
    printed.splice(0, printed.indexOf(line) + 1);
  }
});

it('the demo prints the document that docs/cli-json.md describes', async () => {
  const printed = documentOf<unknown>(await commandLine(['demo', '--json'], { cwd: tempFolder() }));
  const run = ['A run', 'A report'];
  const references = { first: run, second: run };
  expect(differences(document('docs/cli-json.md'), ['registrar demo'], [printed], references)).toEqual([]);
  expect(printed).toMatchObject({ ok: true, problems: [] });
});
