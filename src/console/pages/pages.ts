import { attentionPage } from './attention/attention.js';
import { rowsPage } from './attention/rows.js';
import { dismissPage } from './decide/dismiss.js';
import { mapPage } from './decide/map.js';
import { rerunPage } from './decide/rerun.js';
import { restagePage } from './decide/restage.js';
import { decisionPage } from './decisions/decision.js';
import { decisionListPage } from './decisions/decision-list.js';
import { doctorPage } from './doctor.js';
import { filePage } from './files/file.js';
import { fileListPage } from './files/file-list.js';
import { uploadPage } from './files/upload.js';
import { learnersPage } from './learners/learners.js';
import { overviewPage } from './overview/overview.js';
import type { Page } from './page.js';
import { rowPage } from './rows/row.js';
import { chooseReportPage } from './runs/choose-report.js';
import { runPage } from './runs/run.js';
import { runListPage } from './runs/run-list.js';
import { schedulePage } from './schedule.js';
import { settingsPage } from './settings.js';

/** All pages, in the order in which the router asks them. */
export const PAGES: readonly Page[] = [
  overviewPage,
  fileListPage,
  filePage,
  uploadPage,
  rerunPage,
  attentionPage,
  rowsPage,
  rowPage,
  learnersPage,
  dismissPage,
  mapPage,
  restagePage,
  runListPage,
  runPage,
  chooseReportPage,
  decisionListPage,
  decisionPage,
  schedulePage,
  settingsPage,
  doctorPage,
];
