import { alertsPage, mutePage } from './alerts.js';
import { assignPage } from './attention/assign.js';
import { attentionPage } from './attention/attention.js';
import { ROWS_FORMS, rowsPage } from './attention/rows.js';
import { DECISION_PAGES } from './decide/decision-pages.js';
import { auditLogFile, auditLogPage } from './decisions/audit-log.js';
import { decisionPage } from './decisions/decision.js';
import { doctorPage } from './doctor.js';
import { downloadPage } from './files/download.js';
import { filePage } from './files/file.js';
import { fileListPage } from './files/file-list.js';
import { discardUploadForm, takeUploadForm, uploadPage } from './files/upload.js';
import { documentPage, helpPage } from './help.js';
import { learnersPage } from './learners/learners.js';
import { mapManyPage } from './learners/map-many.js';
import { personPage } from './learners/person.js';
import { overviewPage } from './overview/overview.js';
import type { Page } from './page.js';
import { ROW_FORMS, rowPage } from './rows/row.js';
import { reportDocumentPage, reportPage, runReportFiles } from './runs/report.js';
import { runForm, runPage, stopRunForm } from './runs/run.js';
import { runListPage } from './runs/run-list.js';
import { schedulePage, startLineForm } from './schedule.js';
import { searchPage } from './search.js';
import { accessPage, revokeTokenForm } from './settings/access.js';
import { CHANNEL_PAGE, TEST_CHANNEL_FORM } from './settings/channel.js';
import { newSourceDiscardForm, newSourcePage } from './settings/new-source.js';
import { SCHEDULE_LINE_PAGE } from './settings/schedule-line.js';
import { settingsPage } from './settings/settings.js';
import { ENVIRONMENT_PAGE, SOURCE_PAGE, TEST_ENVIRONMENT_FORM } from './settings/source.js';

/** All pages and forms, in the order in which the router tries them. */
export const PAGES: readonly Page[] = [
  overviewPage,
  fileListPage,
  filePage,
  downloadPage,
  uploadPage,
  takeUploadForm,
  discardUploadForm,
  ...DECISION_PAGES,
  attentionPage,
  assignPage,
  alertsPage,
  mutePage,
  rowsPage,
  ...ROWS_FORMS,
  rowPage,
  ...ROW_FORMS,
  learnersPage,
  personPage,
  mapManyPage,
  searchPage,
  runForm,
  stopRunForm,
  startLineForm,
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
  TEST_ENVIRONMENT_FORM,
  newSourcePage,
  newSourceDiscardForm,
  SCHEDULE_LINE_PAGE,
  CHANNEL_PAGE,
  TEST_CHANNEL_FORM,
  accessPage,
  revokeTokenForm,
  doctorPage,
  helpPage,
  documentPage,
];
