import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages in the program's bundle, with their licences, most of which demand to be passed on with the code. */
const FILE = 'dist/program/LICENSES.txt';

/** One line for each package, above the text of its licence. */
const HEADING = /^=== (\S+) (\S+) \(.*\)$/gm;

/** Writes the licences of the packages in a bundle. @param output the bundle's files, as rolldown describes them. */
export function writeLicenses(root, output) {
  const folders = output
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
    .filter((folder) => folder !== undefined);
  const headings = new Map();
  for (const folder of [...new Set(folders)].sort()) {
    const text = licenseText(folder);
    headings.set(text, [...(headings.get(text) ?? []), heading(folder)]);
  }
  const sections = [...headings].map(([text, names]) => [...new Set(names), '', text, '', ''].join('\n'));
  writeFileSync(join(root, FILE), sections.join('\n'));
}

function heading(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `=== ${name} ${version} (${license ?? licenses[0].type})`;
}

/** Empty where the package's makers ship no text: the heading names the licence. */
function licenseText(folder) {
  return readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .join('\n\n');
}

/** The packages in the program's bundle, as `name@version`. */
export function bundledPackages(root) {
  const text = readFileSync(join(root, FILE), 'utf8');
  return new Set([...text.matchAll(HEADING)].map(([, name, version]) => `${name}@${version}`));
}
