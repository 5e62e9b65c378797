import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import exceljs from 'exceljs';
import { chromium } from 'playwright-core';

// Takes the pictures of the console and of reports that docs/ shows, from a workspace with invented people: two days of files and runs,
// decisions of two people, and a delivery that goes on. `npm run pictures -- FOLDER` puts those of each look into a folder, to be looked at, and
// leaves docs/ alone.

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'dist/program/main.js');
const HOUR_MS = 3_600_000;
/** The first file came in so long ago. */
const LONGEST_AGO_MS = 26 * HOUR_MS;
const PASSWORD = 'invented for pictures';
const PEOPLE = ['maria.lopez', 'tom.berger'];
const WIDTH = 1280;
const ZONE = 'Europe/Berlin';
const LOOKS = {
  light: { colorScheme: 'light', viewport: { width: WIDTH, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: WIDTH, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};
/** More of a page is cut off: a reader of docs/ wants to see what it is, not all of it. The answer to a correction is further down. */
const TALLEST = 1200;
const TALLEST_CORRECTION = 1460;

/** Which pages, by the name of their file. Those of the second list are looked at, and not kept. */
const SHOWN = {
  overview: '/',
  attention: '/attention',
  rows: '/attention/rows?states=rejected&cause=learner-unknown',
  correct: '/rows/1:9',
  files: '/files',
};
const LOOKED_AT = {
  row: '/rows/1:11',
  plan: '/decide/rerun?states=rejected',
  learners: '/learners',
  file: '/files/1',
  runs: '/runs',
  run: '/runs/1',
  audit: '/audit',
  decision: '/decisions/1',
  schedule: '/schedule',
  settings: '/settings',
  doctor: '/doctor',
};

/** What the pages of reports show, by the name of their file: the number of the run, how the page looks, and how much of it is shown. */
const REPORTS = {
  'report-light': [1, 'light', 1060, 1320],
  'report-dark': [1, 'dark', 1060, 1320],
  'page-unmatched': [2, 'light', 1280, 900],
  'page-environment': [3, 'light', 1280, 900],
  'page-well': [4, 'light', 1280, 900],
};

/** The sheets that docs/ shows, by the name of their file. */
const SHEETS = {
  'workbook-what-to-do': 'What to do',
  'workbook-correct': 'Correct academy',
  'workbook-learners': 'Learners',
  'workbook-platform': 'Platform',
};

/** How far down the picture of a sheet has anything on it. As text, because it runs in a browser. */
const INKED = `(() => {
  const img = document.querySelector('img');
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1600, img.clientHeight];
  const drawing = canvas.getContext('2d');
  drawing.drawImage(img, 0, 0, 1600, img.clientHeight);
  const { data } = drawing.getImageData(0, 0, 1600, img.clientHeight);
  let last = data.length - 4;
  while (last > 0 && data[last] > 245 && data[last + 1] > 245 && data[last + 2] > 245) last -= 4;
  return Math.min(img.clientHeight, Math.floor(last / 6400) + 16);
})()`;

const FIRST =
  'Amara Bjorn Chen Dara Elena Farid Grace Hugo Ines Jonas Katya Liam Mei Noor Olga Pavel Quinn Rosa Sven Tara Umut Vera Wim Yara Zoe'.split(
    ' ',
  );
const LAST =
  'Okafor Lindqvist Wei Singh Petrova Haddad Kim Martin Costa Keller Ivanova Byrne Tanaka Aziz Novak Dvorak Walsh Vidal Larsen Moreau Demir Rossi'.split(
    ' ',
  );
const COURSES = [
  ['SAF-101', 'Workplace Safety'],
  ['PRI-200', 'Privacy in practice'],
  ['LEAD-7', 'Leading small teams'],
  ['CYB-300', 'Passwords and phishing'],
  ['FIRE-12', 'Fire drills'],
  ['ETH-040', 'Gifts and favours'],
];

const [folder] = process.argv.slice(2);
const workspace = mkdtempSync(join(tmpdir(), 'registrar-pictures-'));
const children = [];
try {
  const sandbox = await started(['sandbox', '--port', '0', '--quota', '100000/1m', '--faults', 'latency=20']);
  const platform = /http:\S+/.exec(await sandbox.says('stdout', /listens on \S+/))[0].replace(/;$/, '');
  fill(platform);
  const service = await started(['schedule', '--listen', '127.0.0.1:0']);
  const url = /http:\/\/[\d.:]+/.exec(await service.says('stderr', /the console is served/))[0];
  await takePictures(url);
} finally {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.ended));
  rmSync(workspace, { recursive: true, force: true });
}

/** Two days of files and runs. */
function fill(platform) {
  settings(platform, 6_000);
  appendFileSync(join(workspace, 'registrar.yaml'), `console:\n  users:\n${PEOPLE.map(userEntry).join('')}`);
  for (const source of ['academy', 'campus', 'workshops'])
    mkdirSync(join(workspace, 'inbox', source), { recursive: true });
  for (const [source, file] of [
    ['academy', 'academy-completions.csv'],
    ['campus', 'campus-export.csv'],
    ['workshops', 'workshops.xlsx'],
  ])
    drop(source, file, readFileSync(join(ROOT, 'data/samples', file)));
  run(LONGEST_AGO_MS);
  // A file that no source takes, a platform that isn't there, and a day on which all is well.
  const unmatched = join(workspace, 'inbox/campus/week-47.ods');
  writeFileSync(unmatched, 'x');
  drop('academy', 'academy-extra.csv', exportOf(10, 25));
  run(LONGEST_AGO_MS - HOUR_MS);
  rmSync(unmatched);
  settings('http://127.0.0.1:9', 6_000);
  drop('academy', 'academy-late.csv', exportOf(9, 24));
  run(LONGEST_AGO_MS - 2 * HOUR_MS);
  settings(platform, 6_000);
  const latest = exportOf(11, 23);
  drop('academy', 'academy-latest.csv', latest);
  run(LONGEST_AGO_MS - 3 * HOUR_MS);
  const amended = latest.split('\n').slice(0, 4).join('\n');
  drop(
    'academy',
    'academy-scores.csv',
    amended.replace(/\d+(?=,Completed)/g, (score) => score - 20),
  );
  run(LONGEST_AGO_MS - 4 * HOUR_MS);
  registrar(
    ['report', '--format', 'xlsx', '--out', join(workspace, 'workbook')],
    LONGEST_AGO_MS - 4 * HOUR_MS,
  );
  for (const [hours, count] of [
    [21, 160],
    [19, 85],
    [14, 40],
    [5, 130],
    [3, 95],
    [1, 60],
  ]) {
    drop('academy', `academy-${dayOf(hours)}-${hours}.csv`, exportOf(count, hours));
    if (hours === 14) drop('workshops', 'participants.csv', 'Room,Seat\nB-204,17\n');
    run(hours * HOUR_MS);
  }
  drop('academy', `academy-${dayOf(0)}.csv`, exportOf(420, 0));
  settings(platform, 70);
}

/** The entry of a person in registrar.yaml. */
function userEntry(name) {
  const lines = registrar(['user', 'hash', name, '--role', 'operator', '--password-stdin'], 0, PASSWORD);
  return lines.slice(lines.indexOf('    - name:'));
}

/** Decides as both people do, and then looks at each page. */
async function takePictures(url) {
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: isRoot ? ['--no-sandbox'] : [],
  });
  try {
    await takeReports(browser);
    await takeWorkbook(browser);
    const tom = await loggedIn(browser, url, 'tom.berger');
    await decide(tom, '/decide/dismiss?states=invalid&cause=score-invalid', 'The exam was not graded');
    const maria = await loggedIn(browser, url, 'maria.lopez');
    await decide(
      maria,
      '/decide/map?old=tara.unknown@northwind.example&new=tara.keller@northwind.example',
      'Typo in the address',
    );
    // Some of the last file is delivered by then.
    await maria.waitForTimeout(25_000);
    const pages = Object.entries(folder === undefined ? SHOWN : { ...SHOWN, ...LOOKED_AT });
    for (const [name, path] of pages) {
      await maria.goto(new URL(path, url).href);
      if (name === 'correct') await correct(maria);
      for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
        if (folder === undefined && look !== 'light') continue;
        await maria.emulateMedia({ colorScheme });
        await maria.setViewportSize(viewport);
        const file =
          folder === undefined
            ? join(ROOT, 'docs/pictures', `${name}.png`)
            : join(folder, `${name}-${look}.png`);
        await picture(maria, file, viewport.width, name === 'correct' ? TALLEST_CORRECTION : TALLEST);
      }
      await maria.setViewportSize(LOOKS.light.viewport);
    }
  } finally {
    await browser.close();
  }
}

async function takeReports(browser) {
  const reports = join(workspace, 'reports');
  for (const [name, [run, look, width, tallest]] of Object.entries(REPORTS)) {
    const own = readdirSync(reports).find((entry) => entry.endsWith(`-run-${run}`));
    const page = await browser.newPage({ colorScheme: look, viewport: { width, height: 900 } });
    await page.goto(pathToFileURL(join(reports, own, 'report.html')).href);
    await picture(page, join(folder ?? join(ROOT, 'docs'), `${name}.png`), width, tallest);
    await page.close();
  }
}

/** The sheets of the correction workbook as LibreOffice shows them, each as wide as its page. */
async function takeWorkbook(browser) {
  const [written] = readdirSync(join(workspace, 'workbook'));
  const path = join(workspace, 'workbook', written, 'all.attention.xlsx');
  for (const [name, sheet] of Object.entries(SHEETS)) {
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(path);
    for (const { id, name: other } of [...workbook.worksheets])
      if (other !== sheet) workbook.removeWorksheet(id);
    const [own] = workbook.worksheets;
    const margins = { left: 0.2, right: 0.2, top: 0.2, bottom: 0.2, header: 0, footer: 0 };
    Object.assign(own.pageSetup, {
      orientation: 'landscape',
      paperSize: 8,
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      margins,
    });
    if (own.rowCount > 12) own.spliceRows(12, own.rowCount - 11);
    const single = join(workspace, `${name}.xlsx`);
    await workbook.xlsx.writeFile(single);
    const pdf = join(workspace, `${name}.pdf`);
    call('soffice', ['--headless', '--convert-to', 'pdf', '--outdir', workspace, single]);
    call('pdftoppm', [
      '-png',
      '-singlefile',
      '-scale-to-x',
      '1600',
      '-scale-to-y',
      '-1',
      pdf,
      join(workspace, name),
    ]);
    const page = await browser.newPage({ viewport: { width: 1600, height: 1100 } });
    const image = readFileSync(join(workspace, `${name}.png`)).toString('base64');
    await page.setContent(
      `<body style="margin:0"><img style="width:1600px;display:block" src="data:image/png;base64,${image}">`,
    );
    await page.locator('img').evaluate((img) => img.decode());
    await page.screenshot({
      path: join(folder ?? join(ROOT, 'docs'), `${name}.png`),
      clip: { x: 0, y: 0, width: 1600, height: await page.evaluate(INKED) },
    });
    console.log(name);
    await page.close();
  }
}

/** Debian's packages libreoffice-calc and poppler-utils have these programs. */
function call(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${program}: ${stderr}`);
}

async function loggedIn(browser, url, name) {
  const context = await browser.newContext({
    timezoneId: ZONE,
    locale: 'en-GB',
    viewport: LOOKS.light.viewport,
  });
  await context.addCookies([{ name: 'registrar-zone', value: encodeURIComponent(ZONE), url }]);
  const page = await context.newPage();
  await page.goto(url);
  await page.fill('#name', name);
  await page.fill('#password', PASSWORD);
  await page.click('main button');
  await page.waitForSelector('nav');
  return page;
}

async function decide(page, path, because) {
  await page.goto(new URL(path, page.url()).href);
  await page.fill('#because', because);
  await page.click('main form:has(#because) button');
  await page.waitForURL(/\/(decisions|runs)\/\d+$/);
}

/** Types the right value, and waits until the page says what it makes of it. */
async function correct(page) {
  const cell = page.locator('input[name^="cell-"][aria-invalid=true]').first();
  await cell.fill('hugo.martin@northwind.example');
  await page.locator('#outcome', { hasText: 'would be' }).waitFor();
}

async function picture(page, path, width, tallest) {
  const height = await page.evaluate('document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  mkdirSync(join(path, '..'), { recursive: true });
  await page.screenshot({ path, fullPage: true, clip });
  console.log(path);
}

function settings(platform, requests) {
  const path = join(workspace, 'registrar.yaml');
  const source = (name, more = '') =>
    `  - { name: ${name}, operation: submit-completion, environment: main, timeZone: ${ZONE}, stableFor: 0s${more} }\n`;
  const campus = `, dateOrder: day-first, columns: { user-id: E-Mail, content-id: Kursnummer, completed-at: Abgeschlossen am, percentile: Ergebnis }, status: { notCompleted: [in Bearbeitung] }`;
  const text = `environments:
  main:
    baseUrl: ${platform}
    authUrl: ${platform}
    clientId: \${REGISTRAR_CLIENT_ID}
    clientSecret: \${REGISTRAR_CLIENT_SECRET}
    quota: { requests: ${requests}, per: 1m }
sources:
${source('academy')}${source('campus', campus)}${source('workshops')}schedule:
  - { cron: "*/15 * * * *", timeZone: ${ZONE}, do: [run] }
  - { cron: "0 7 * * 1-5", timeZone: ${ZONE}, do: [report] }
`;
  let users = '';
  try {
    users = readFileSync(path, 'utf8').match(/^console:[\s\S]*$/m)?.[0] ?? '';
  } catch {
    // The first time there is none.
  }
  writeFileSync(path, text + users);
}

/** An export as a system would have written it so many hours ago: most of it good, and what goes wrong in offices. */
function exportOf(count, hours) {
  const lines = ['Email,Course ID,Course Name,Completed on,Score,Status'];
  for (let n = 0; n < count; n += 1) {
    const at = n * 7 + hours * 13;
    const first = FIRST[at % FIRST.length];
    const last = LAST[(at * 5 + n) % LAST.length];
    const [course, title] = COURSES[(at + n) % COURSES.length];
    const done = new Date(Date.now() - hours * HOUR_MS - (2 * n + 60) * 60_000).toISOString().slice(0, 19);
    const odd = n % 23 === 11 ? (at % 5) + 1 : 0;
    const name = `${first}.${last}`.toLowerCase();
    const email =
      odd === 1
        ? `${name}(at)northwind.example`
        : odd === 2
          ? `${name}.unknown@northwind.example`
          : `${name}@northwind.example`;
    lines.push(
      [
        email,
        odd === 3 ? 'UNKNOWN-12' : course,
        title,
        odd === 4 ? `${done.slice(0, 8)}32` : done,
        odd === 5 ? 'pending' : 61 + (at % 39),
        'Completed',
      ].join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}

function dayOf(hours) {
  return new Date(Date.now() - hours * HOUR_MS).toISOString().slice(0, 10);
}

function drop(source, file, content) {
  writeFileSync(join(workspace, 'inbox', source, file), content);
}

function run(agoMs) {
  registrar(['run', '--quiet'], agoMs);
}

function registrar(args, agoMs, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, argsFor(args, agoMs), {
    ...surroundings(),
    input,
    encoding: 'utf8',
  });
  if (![0, 1, 4].includes(status)) throw new Error(`registrar ${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

function started(args) {
  const child = spawn(process.execPath, argsFor(args, 0), surroundings());
  const said = { stdout: '', stderr: '' };
  const watchers = new Set();
  for (const name of ['stdout', 'stderr'])
    child[name].on('data', (chunk) => {
      said[name] += chunk;
      for (const look of watchers) look();
    });
  child.ended = new Promise((resolve) => child.on('exit', resolve));
  child.says = (name, pattern) =>
    new Promise((resolve, reject) => {
      const look = () =>
        pattern.test(said[name]) && resolve(said[name].split('\n').find((line) => pattern.test(line)));
      watchers.add(look);
      child.on('exit', () => reject(new Error(`registrar ${args[0]} ended: ${said.stderr}`)));
      look();
    });
  children.push(child);
  return child;
}

function surroundings() {
  const env = {
    ...process.env,
    REGISTRAR_CLIENT_ID: 'sandbox-client',
    REGISTRAR_CLIENT_SECRET: 'sandbox-secret',
  };
  return { cwd: workspace, env: { ...env, REGISTRAR_WORKSPACE: workspace } };
}

/** The program with both its clocks so long ago. The one that only goes forward is never before the boot of the machine. */
function argsFor(args, agoMs) {
  const module = `const D = Date, t = D.now.bind(D), h = process.hrtime.bigint;
globalThis.Date = class extends D { constructor(...a) { a.length === 0 ? super(t() - ${agoMs}) : super(...a); } static now() { return t() - ${agoMs}; } };
process.hrtime.bigint = () => h() + ${LONGEST_AGO_MS - agoMs}n * 1000000n;`;
  return ['--import', `data:text/javascript,${encodeURIComponent(module)}`, PROGRAM, ...args];
}
