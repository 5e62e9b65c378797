// @module-tag chromium
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { once } from '../../../src/domain/process/once.js';
import { looked, unfold, violations } from '../../support/accessible.js';
import { sharedBrowser } from '../../support/browser.js';
import { type TestWorkspace, testWorkspace } from '../../support/workspace.js';

/** Hostile texts in cells, headers and file names. */
const HOSTILE = [
  '<script>document.title="owned"</script>',
  '"><img src=x onerror=document.title="owned">',
  "' onmouseover='document.title=1",
  ']]></svg><svg onload=document.title="owned">',
  '</style><style>*{display:none}</style>',
  '</title><iframe src="https://evil.example/">',
  '[click](javascript:alert(1)) <a href="javascript:alert(1)">x</a>',
  '\u202egpj.exe\u2066',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<!-- --><base href="https://evil.example/">',
  '=HYPERLINK("https://evil.example","x")',
];

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
}

const WAYS: readonly (readonly [string, Look, 'screen' | 'print'])[] = [
  ['light', { colorScheme: 'light' }, 'screen'],
  ['dark', { colorScheme: 'dark' }, 'screen'],
  ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }, 'screen'],
  ['dark phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }, 'screen'],
  ['paper', { colorScheme: 'light' }, 'print'],
  ['paper from a dark screen', { colorScheme: 'dark' }, 'print'],
];

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

describe('the page of a report', () => {
  it('has no accessibility violation, on any screen or on paper, with rows of every kind or with none', async () => {
    const broken: string[] = [];
    const pages = [hostilePage, once(emptyPage), once(unbalancedPage)];
    const all = WAYS.flatMap((way) => pages.map((made) => [made, way] as const));
    for (const [made, [way, options, medium]] of looked(all)) {
      await open(await made(), options);
      await page.emulateMedia({ media: medium });
      await unfold(page);
      broken.push(...(await violations(page)).map((violation) => `${way}: ${violation}`));
    }
    expect(broken).toEqual([]);
  });

  it('takes what files hold for text: nothing runs, nothing is loaded, nothing is hidden', async () => {
    const path = await hostilePage();
    await open(path);
    const requests: string[] = [];
    const dialogs: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => dialogs.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => dialogs.push(String(error)));
    page.on('dialog', (dialog) => {
      dialogs.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.reload();
    await unfold(page);
    for (const [x, y] of [
      [300, 300],
      [500, 600],
    ] as const)
      await page.mouse.move(x, y);

    expect(requests).toEqual([pathToFileURL(path).href]);
    expect(dialogs).toEqual([]);
    expect(await page.title()).toBe('Run 1 · Registrar');
    expect(
      await page.locator('script, img, iframe, object, embed, base, form, [onload], [onerror]').count(),
    ).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    const text = (await page.locator('body').textContent()) ?? '';
    expect(text).toContain('<img src=x onerror=alert(1)>.csv');
    expect(text).not.toContain('\u202e');
  });

  it('has no row, and masks addresses', async () => {
    const text = readFileSync(await hostilePage(), 'utf8');
    expect(text).not.toMatch(/ada\.unknown|Lovelace|\.unknown@example/);
  });

  it('is wide enough for a phone; what is wider scrolls by itself', async () => {
    await open(await hostilePage(), { viewport: { width: 390, height: 844 } });
    await unfold(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('is reached by keyboard: skip link first, then each link, summary and table that scrolls', async () => {
    const path = await hostilePage();
    await open(path);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');

    await open(path);
    await unfold(page);
    const count = await page.locator('a[href], summary, [tabindex="0"]').count();
    const reached = new Set<string>();
    for (let step = 0; step < count; step += 1) {
      await page.keyboard.press('Tab');
      const at = (await page.evaluate(FOCUSED)) as { path: string; outline: string };
      expect(at.outline).not.toBe('none');
      reached.add(at.path);
    }
    expect(reached.size).toBe(count);
  });

  it('prints long tables closed, whether or not they were opened', async () => {
    await open(await hostilePage());
    for (const opened of [false, true]) {
      if (opened) await unfold(page);
      await page.emulateMedia({ media: 'print' });
      const shown = (selector: string) =>
        page.locator(selector).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);
      expect(await shown('details table')).toBe(0);
      expect(await shown('details > summary')).toBe(await page.locator('details > summary').count());
    }
  });

  it('of a run of 280 rows in three files with twelve causes is six sheets of A4 at most', async () => {
    await open(await pageOfManyCauses());
    expect(await page.locator('article.cause').count()).toBeGreaterThanOrEqual(12);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(sheets).toBeGreaterThanOrEqual(2);
    expect(sheets).toBeLessThanOrEqual(6);
  });

  it.each([1280, 390])('hides no state of a file and no setting of a source at %i pixels', async (width) => {
    await open(await pageOfManyCauses(), { viewport: { width, height: 900 } });
    const wider = await page
      .locator('.scroll:has(.files), .scroll:has(.settings)')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(wider).toBe(0);
    const states = await page.locator('tr[data-drop="1"] [data-of-file^="states."]').evaluateAll(
      (all, limit) =>
        all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return [one.getAttribute('data-of-file'), left >= 0 && right <= limit];
        }),
      width,
    );
    expect(states).toEqual([
      ['states.held', true],
      ['states.accepted', true],
      ['states.rejected', true],
      ['states.failed', true],
    ]);
  });
});

const FOCUSED = `(() => {
  const all = [...document.querySelectorAll('*')];
  const focused = document.activeElement;
  return { path: String(all.indexOf(focused)), outline: getComputedStyle(focused).outlineStyle };
})()`;

/** One for all tests: each further one starts a process of the browser. */
let page: Page;
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage();
});

/** Shows a file as a page that was never open before. */
async function open(
  path: string,
  { colorScheme = 'light', viewport = { width: 1200, height: 900 } }: Look = {},
): Promise<void> {
  await page.goto('about:blank');
  await page.emulateMedia({ colorScheme, media: null });
  await page.setViewportSize(viewport);
  await page.goto(pathToFileURL(path).href);
}

/** Folders of workspaces that outlive their test. */
const roots: string[] = [];

function keptRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'registrar-page-'));
  roots.push(root);
  return root;
}

/** Once for all tests that look at it. */
const hostilePage = once(async () => reportOf(await hostileRun(), '--run', '1'));

/** A run with rows of every kind, and everything hostile in a place of its own. */
async function hostileRun(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({
    root: keptRoot(),
    sandbox: {
      learners: { unknownContaining: 'unknown' },
      faults: { schedule: [{ kind: 'throttle', at: 4 }] },
    },
    sources: {
      academy: { columns: { 'user-id': 'Email', 'content-id': 'Course ID', 'completed-at': 'Completed on' } },
    },
  });
  const rows = [
    ['ada.unknown@example.org', 'Ada Lovelace', 'C-1', '2024-03-01 10:00:00', 'Engines'],
    ['bob@example.org', 'Bob', 'C-1', '2024-03-01 11:00:00', 'Engines'],
    ...HOSTILE.flatMap((hostile, index) => [
      [`h${index}.unknown@example.org`, 'Eve', `C-${index}`, '2024-03-02 10:00:00', hostile],
      [`${hostile}@example.org`, hostile, `D-${index}`, '2024-03-03 10:00:00', 'x'],
      [`d${index}@example.org`, 'Eve', `E-${index}`, hostile, 'x'],
    ]),
  ];
  workspace.drop(
    '<img src=x onerror=alert(1)>.csv',
    csv([['Email', 'Name', 'Course ID', 'Completed on', 'Course Name'], ...rows]),
  );
  workspace.drop('broken.csv', `Who,What\n${HOSTILE[0]},x\n`);
  await workspace.run();
  return workspace;
}

/** The page of a run of the size that people print: rows of a dozen causes in each of three files, and a broken one. */
const pageOfManyCauses = once(async () => {
  const workspace = await testWorkspace({
    root: keptRoot(),
    sandbox: {
      quota: { requests: 10_000, perMs: 1_000 },
      learners: { unknownContaining: 'unknown' },
      contents: { unknownContaining: 'missing' },
      faults: { schedule: [{ kind: 'server-error', match: 'BAD-1', times: 1_000 }] },
    },
    environments: {
      main: { pace: 'burst', inFlight: 8, retry: { tries: 2, first: '10ms', longest: '20ms' } },
    },
    sources: { academy: { dateOrder: 'day-first' }, campus: {}, workshops: {} },
    skipReceivedCheck: 'the page is looked at, not the books',
  });
  for (const [name, source, count, from] of [
    ['academy-october.csv', 'academy', 120, 0],
    ['campus.csv', 'campus', 80, 5_000],
    ['workshops.csv', 'workshops', 80, 9_000],
  ] as const) {
    const rows = Array.from({ length: count }, (_, n) => faultyRow(n, from + n));
    workspace.drop(name, csv([['Email', 'Course ID', 'Completed on', 'Score', 'Status'], ...rows]), source);
  }
  workspace.drop('broken.csv', 'Who,What\nada,x\n', 'campus');
  const { report } = await workspace.run();
  return join(report.reportFolder ?? '', 'report.html');
});

/** A row of an export; of each forty some have a fault of one kind. */
function faultyRow(n: number, id: number): string[] {
  const row = [
    `learner${id}@example.org`,
    `C-${id % 40}`,
    `2025-03-${10 + (n % 18)} 10:00:00`,
    '80',
    'Completed',
  ];
  const faults: Readonly<Record<number, readonly [column: number, text: string]>> = {
    3: [0, 'not an address'],
    5: [0, `x${Math.floor(n / 80)}.unknown@example.org`],
    7: [2, '31/31/2025'],
    9: [4, 'Maybe'],
    11: [3, 'many'],
    13: [1, ''],
    15: [2, '2031-01-01 10:00:00'],
    17: [1, 'missing-1'],
    19: [2, '2025-03-30 02:30:00'],
    21: [2, '2025-10-26 02:30:00'],
    23: [0, '1.23457E+12'],
    25: [4, 'In progress'],
    29: [2, '03/04/2025 10:00'],
    27: [1, n < 80 ? 'BAD-1' : 'C-1'],
  };
  const fault = faults[n % 40];
  if (fault !== undefined) row[fault[0]] = fault[1];
  return n % 80 === 31 ? [...row, 'one too many'] : row;
}

async function emptyPage(): Promise<string> {
  return reportOf(await testWorkspace());
}

async function unbalancedPage(): Promise<string> {
  const workspace = await testWorkspace();
  workspace.drop(
    'a.csv',
    csv([
      ['Email', 'Course ID', 'Completed on'],
      ['a@example.org', 'C', '2024-03-01 10:00:00'],
    ]),
  );
  await workspace.run();
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const ledger = new BetterSqlite3(join(workspace.root, 'registrar.db'));
  ledger.exec("insert into row (drop_id, line, disposition) values (1, 3, 'skipped')");
  ledger.close();
  return reportOf(workspace);
}

async function reportOf(workspace: TestWorkspace, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await workspace.cli('report', '--format', 'html', '--json', ...options);
  const { reportFolder } = JSON.parse(stdout || '{}') as { reportFolder?: string };
  if (!reportFolder) throw new Error(`no report was written: ${stderr}`);
  return join(reportFolder, 'report.html');
}

function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('');
}
