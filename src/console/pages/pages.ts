import { alertsPage, mutePage } from './alerts.js';
import { assignPage } from './attention/assign.js';
import { attentionPage } from './attention/attention.js';
import { rowsPage } from './attention/rows.js';
import { DECISION_PAGES } from './decide/doors.js';
import { auditLogFile, auditLogPage } from './decisions/audit-log.js';
import { decisionPage } from './decisions/decision.js';
import { decisionListPage } from './decisions/decision-list.js';
import { doctorPage } from './doctor.js';
import { filePage } from './files/file.js';
import { fileListPage } from './files/file-list.js';
import { uploadPage } from './files/upload.js';
import { documentPage, helpPage } from './help.js';
import { learnersPage } from './learners/learners.js';
import { mapManyPage } from './learners/map-many.js';
import { personPage } from './learners/person.js';
import { overviewPage } from './overview/overview.js';
import type { Page } from './page.js';
import { rowPage } from './rows/row.js';
import { chooseReportPage } from './runs/choose-report.js';
import { reportPage, runReportFiles, runReportPage } from './runs/report.js';
import { runPage } from './runs/run.js';
import { runListPage } from './runs/run-list.js';
import { schedulePage } from './schedule.js';
import { searchPage } from './search.js';
import { accessPage } from './settings/access.js';
import { CHANNEL_PAGE } from './settings/channel.js';
import { newSourcePage } from './settings/new-source.js';
import { SCHEDULE_LINE_PAGE } from './settings/schedule-line.js';
import { settingsPage } from './settings/settings.js';
import { SOURCE_PAGES } from './settings/source.js';

/** All pages, in the order in which the router tries them. */
export const PAGES: readonly Page[] = [
  overviewPage,
  fileListPage,
  filePage,
  uploadPage,
  ...DECISION_PAGES,
  attentionPage,
  assignPage,
  alertsPage,
  mutePage,
  rowsPage,
  rowPage,
  learnersPage,
  personPage,
  mapManyPage,
  searchPage,
  runListPage,
  runPage,
  chooseReportPage,
  runReportPage,
  reportPage,
  ...runReportFiles,
  decisionListPage,
  decisionPage,
  auditLogPage,
  auditLogFile,
  schedulePage,
  settingsPage,
  ...SOURCE_PAGES,
  newSourcePage,
  SCHEDULE_LINE_PAGE,
  CHANNEL_PAGE,
  accessPage,
  doctorPage,
  helpPage,
  documentPage,
];
