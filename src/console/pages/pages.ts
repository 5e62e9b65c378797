import { alertsPage, mutePage } from './alerts.js';
import { assignPage, attentionPage } from './attention/attention.js';
import { rowsPage } from './attention/rows.js';
import { DECISION_PAGES } from './decide/decision-pages.js';
import { auditLogFile, auditLogPage } from './decisions/audit-log.js';
import { decisionPage } from './decisions/decision.js';
import { doctorPage } from './doctor.js';
import { downloadPage, filePage } from './files/file.js';
import { fileListPage } from './files/file-list.js';
import { uploadPage } from './files/upload.js';
import { documentPage, helpPage } from './help.js';
import { learnersPage } from './learners/learners.js';
import { mapManyPage } from './learners/map-many.js';
import { personPage } from './learners/person.js';
import { overviewPage } from './overview/overview.js';
import type { Page } from './page.js';
import { rowPage } from './rows/row.js';
import { reportDocumentPage, reportPage, runReportFiles } from './runs/report.js';
import { runForm, runListPage, runPage } from './runs/runs.js';
import { schedulePage } from './schedule.js';
import { searchPage } from './search.js';
import { accessPage } from './settings/access.js';
import { CHANNEL_PAGE } from './settings/channel.js';
import { newSourcePage } from './settings/new-source.js';
import { SCHEDULE_LINE_PAGE } from './settings/schedule-line.js';
import { settingsPage } from './settings/settings.js';
import { ENVIRONMENT_PAGE, SOURCE_PAGE } from './settings/source.js';

/** All pages and forms, in the order in which the router tries them. */
export const PAGES: readonly Page[] = [
  overviewPage,
  fileListPage,
  filePage,
  downloadPage,
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
  runForm,
  runListPage,
  runPage,
  reportPage,
  reportDocumentPage,
  ...runReportFiles,
  decisionPage,
  auditLogPage,
  auditLogFile,
  schedulePage,
  settingsPage,
  SOURCE_PAGE,
  ENVIRONMENT_PAGE,
  newSourcePage,
  SCHEDULE_LINE_PAGE,
  CHANNEL_PAGE,
  accessPage,
  doctorPage,
  helpPage,
  documentPage,
];
