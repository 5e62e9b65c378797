import { muteForm } from '../pages/alerts.js';
import { assignForm } from '../pages/attention/assign.js';
import { correctRowsForm, tryRowsForm } from '../pages/attention/correct-rows.js';
import { DECISION_FORMS } from '../pages/decide/doors.js';
import { doctorForm } from '../pages/doctor.js';
import type { Form } from '../pages/form.js';
import { mapManyForm } from '../pages/learners/map-many.js';
import { correctRowForm, tryForm } from '../pages/rows/correct.js';
import { addTokenForm, revokeTokenForm } from '../pages/settings/access.js';
import { CHANNEL_FORM, TEST_CHANNEL_FORM } from '../pages/settings/channel.js';
import { newSourceDiscardForm, newSourceSaveForm } from '../pages/settings/new-source.js';
import { SCHEDULE_LINE_FORM } from '../pages/settings/schedule-line.js';
import { SOURCE_FORMS, TEST_ENVIRONMENT_FORM } from '../pages/settings/source.js';
import { runForm, startLineForm, stopRunForm } from './run.js';
import { discardUploadForm, takeUploadForm } from './uploads.js';

/** All forms that operators send. */
export const FORMS: readonly Form[] = [
  doctorForm,
  runForm,
  stopRunForm,
  startLineForm,
  takeUploadForm,
  discardUploadForm,
  ...DECISION_FORMS,
  tryForm,
  correctRowForm,
  mapManyForm,
  assignForm,
  muteForm,
  tryRowsForm,
  correctRowsForm,
  ...SOURCE_FORMS,
  TEST_ENVIRONMENT_FORM,
  newSourceSaveForm,
  newSourceDiscardForm,
  SCHEDULE_LINE_FORM,
  CHANNEL_FORM,
  TEST_CHANNEL_FORM,
  addTokenForm,
  revokeTokenForm,
];
