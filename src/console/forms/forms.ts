import { doctorForm } from '../pages/doctor.js';
import type { Form } from './form.js';

/** All forms that operators send. */
export const FORMS: readonly Form[] = [doctorForm];
