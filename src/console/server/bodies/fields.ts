import type { FormFields } from '../../pages/form.js';

/** The fields of a form as browsers send it; none for a body of another kind. */
export function fieldsOf(body: string, contentType: string | undefined): FormFields {
  const isForm = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  const sent = new URLSearchParams(isForm ? body : '');
  return {
    one: (name) => sent.getAll(name).at(-1) ?? '',
    all: (name) => sent.getAll(name),
    names: () => [...new Set(sent.keys())],
  };
}
