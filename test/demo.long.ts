import { expect, it } from 'vitest';
import { differences } from './support/json-document.js';
import { document, section } from './support/markdown.js';
import { tempFolder } from './support/temp-folder.js';
import { documentOf, startCli } from './support/workspace.js';

it('the demo prints what the README shows, but for what depends on the moment', async () => {
  const { code, stdout } = await startCli(['demo'], { cwd: tempFolder() }).ended;
  expect(code).toBe(0);
  const shown = /```text\n([\s\S]*?)```/.exec(section(document('README.md'), 'Quick start'))?.[1] ?? '';
  const printed = timeless(stdout);
  const expected = timeless(shown);
  expect(printed).toHaveLength(expected.length);
  printed.forEach((line, index) => {
    const wanted = expected[index] ?? '';
    if (wanted.endsWith('…')) expect(line.startsWith(wanted.slice(0, -1)), `${line}\n${wanted}`).toBe(true);
    else expect(line).toBe(wanted);
  });
});

it('the demo prints the document that docs/cli-json.md describes', async () => {
  const printed = documentOf<unknown>(await startCli(['demo', '--json'], { cwd: tempFolder() }).ended);
  const run = ['A run', 'A report'];
  const references = { first: run, 'further[]': run, second: run };
  expect(differences(document('docs/cli-json.md'), ['registrar demo'], [printed], references)).toEqual([]);
  expect(printed).toMatchObject({ ok: true, problems: [] });
});

/** Lines without the names of folders and the order in which busy machines send. */
function timeless(text: string): string[] {
  return text
    .trimEnd()
    .replace(/\S*\/registrar-demo-\w+/g, 'registrar-demo')
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/g, 'time')
    .replace(/^ {2}(429|5\d\d) to .*$/gm, '  $1')
    .split('\n');
}
