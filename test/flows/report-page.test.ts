import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { namedFigures } from '../support/page-figures.js';
import { documentOf, type ReportDocument, testWorkspace, textOf } from '../support/workspace.js';

/** Each number of the document that a page shows, by the name that it has there. */
function figuresOf(report: ReportDocument): Record<string, number> {
  const named = (prefix: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, count]) => [`${prefix}.${name}`, count]);
  const { accepted: _, rejected: __, ...attempts } = report.attempts;
  return Object.fromEntries([
    ['rows', report.rows],
    ['attentionRows', report.attentionRows],
    ...named('dispositions', report.dispositions),
    ...named('states', report.states),
    ...named('attempts', attempts),
    ...named('unknownLearners', report.unknownLearners),
    ...report.causes.map(({ code, state, count }) => [`cause ${code} ${state}`, count]),
  ]);
}

const MIXED = csvOf([
  ...exportRows(9),
  exportRow(3),
  exportRow(20, { email: 'ada.unknown@example.org' }),
  exportRow(21, { email: 'ada.unknown@example.org' }),
  exportRow(22, { at: 'never' }),
  exportRow(23, { email: 'nobody' }),
  exportRow(24, { status: 'In progress' }),
]);

it('a run writes a page that shows the numbers of its JSON, and says where the page and the workbook are', async () => {
  const workspace = await testWorkspace({
    sandbox: {
      learners: { unknownContaining: 'unknown' },
      faults: { schedule: [{ kind: 'throttle', at: 4 }] },
    },
  });
  workspace.drop('mixed.csv', MIXED);
  const { stdout } = await workspace.cli('run');
  const page = workspace.files('reports').find((path) => path.endsWith('report.html')) ?? '';
  expect(stdout).toContain(`Page to open or pass on: ${workspace.root}/reports/${page}\n`);
  const workbook = page.replace('report.html', 'run-1.attention.xlsx');
  expect(workspace.files('reports')).toContain(workbook);
  expect(stdout).toContain(`Correction workbook: ${workspace.root}/reports/${workbook}\n`);

  const figures = namedFigures(textOf(workspace, `reports/${page}`));
  const { report } = { report: documentOf(await workspace.cli('report', '--run', '1', '--json')) };
  expect(figures).toMatchObject(figuresOf(report));
  expect(report.attempts.throttled).toBe(1);
  const { sent, accepted, refused, throttled } = Object.fromEntries(
    ['sent', 'accepted', 'refused', 'throttled'].map((name) => [name, figures[`timeline.${name}`]]),
  );
  expect({ sent, accepted, refused, throttled }).toEqual({
    sent: report.attempts.total,
    accepted: report.attempts.accepted,
    refused: report.attempts.rejected,
    throttled: report.attempts.throttled,
  });
});

it('the page has no rows, and names no learner', async () => {
  const workspace = await testWorkspace({ sandbox: { learners: { unknownContaining: 'unknown' } } });
  workspace.drop('mixed.csv', MIXED);
  workspace.drop('march-kim@example.org.csv', csvOf([exportRow(7)]));
  const { report } = await workspace.run();
  const again = await workspace.cli('report', '--format', 'html', '--json');
  for (const folder of [report.reportFolder, documentOf<ReportDocument>(again).reportFolder]) {
    const page = textOf({ root: folder ?? '' }, 'report.html');
    expect(page).not.toMatch(/ada\.unknown|learner\d|nobody"|>nobody|kim@|Invalid user identifier: /);
    expect(page).toContain('m…@e….csv');
    expect(page).toContain('Made to be passed on: it has no rows.');
  }
});
