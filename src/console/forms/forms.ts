import { dismissForm } from '../pages/decide/dismiss.js';
import { mapForm } from '../pages/decide/map.js';
import { rerunForm } from '../pages/decide/rerun.js';
import { restageForm } from '../pages/decide/restage.js';
import { doctorForm } from '../pages/doctor.js';
import type { Form } from '../pages/form.js';
import { correctRowForm, tryForm } from '../pages/rows/correct.js';
import { runForm } from './run.js';
import { discardUploadForm, takeUploadForm } from './uploads.js';

/** All forms that operators send. */
export const FORMS: readonly Form[] = [
  doctorForm,
  runForm,
  takeUploadForm,
  discardUploadForm,
  rerunForm,
  dismissForm,
  mapForm,
  restageForm,
  tryForm,
  correctRowForm,
];
