import { DOWNLOADS } from '../../src/actions/downloads.js';
import { OPERATIONS } from '../../src/console/api/operations.js';
import { PAGES } from '../../src/console/pages/pages.js';
import type { Known } from './worded-console.js';

/** Possible values of a path's parameters, by name. */
type Parts = Readonly<Record<string, readonly string[]>>;

function partsOf(known: Known): Parts {
  const texts = (numbers: readonly number[]) => numbers.map(String);
  return {
    drop: texts(known.drops),
    run: texts(known.runs),
    decision: texts(known.decisions),
    source: known.sources,
    id: known.uploads,
    what: [...texts(known.submissions), ...known.rows],
    kind: DOWNLOADS,
    channel: ['new'],
    document: ['reference'],
    environment: ['main'],
    line: ['new', '0'],
  };
}

/** One of each kind: for checks that an address makes before it looks up the object. */
export function oneOfEach({ drops, runs, submissions, decisions, rows, uploads, sources }: Known): Known {
  const first = <T>(all: readonly T[]) => all.slice(0, 1);
  return {
    drops: first(drops),
    runs: first(runs),
    submissions: first(submissions),
    decisions: first(decisions),
    rows: first(rows),
    uploads: first(uploads),
    sources: first(sources),
  };
}

/** Every address of pages that the console answers with GET, with all known parameters. */
export function addressesOf(known: Known): string[] {
  const parts = partsOf(known);
  const templates = [
    ...PAGES.filter(({ show }) => show).map(({ path }) => path),
    '/files/:drop/:kind',
    '/log-in',
  ];
  return templates.flatMap((template) => filled(template.replace(/\{[^/]*\}/g, ''), /:(\w+)/, parts));
}

/** Every address that an operator's form is sent to, except uploads. */
export function formAddressesOf(known: Known): string[] {
  const parts = partsOf(known);
  const templates = PAGES.flatMap(({ path, submit, forms = {} }) => [
    ...(submit ? [path] : []),
    ...Object.keys(forms).map((name) => `${path}/${name}`),
  ]);
  return templates.flatMap((template) => filled(template.replace(/\{[^/]*\}/g, ''), /:(\w+)/, parts));
}

/** Every address for programs that answers GET. */
export function programAddressesOf(known: Known): string[] {
  const gets = OPERATIONS.filter(({ method }) => method === 'get').map(({ path }) => `/api/v1${path}`);
  return ['/api/v1/openapi.json', ...gets].flatMap((template) =>
    filled(template, /\{(\w+)\}/, partsOf(known)),
  );
}

function filled(template: string, part: RegExp, parts: Parts): string[] {
  const [whole, name] = part.exec(template) ?? [];
  if (whole === undefined || name === undefined) return [template];
  const values = parts[name];
  if (values === undefined) throw new Error(`nothing is known for ${name} of ${template}`);
  return values.flatMap((value) => filled(template.replace(whole, encodeURIComponent(value)), part, parts));
}
