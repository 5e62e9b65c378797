import { describe, expect, test } from 'vitest';
import { decidingKind } from '../../../../src/normalise/status/judge-columns.js';

describe('a header names', () => {
  test.each([
    ['Progress'],
    ['Progress (%)'],
    ['Completion %'],
    ['% Complete'],
    ['Percent Complete'],
    ['PercentComplete'],
    ['percent_completed'],
    ['Completion Progress'],
    ['Overall progress'],
    ['Course - Progress'],
    ['Fortschritt %'],
    ['Lernfortschritt'],
    ['% de achèvement'],
    ['Progreso del curso'],
    ['進捗率'],
  ])('a progress: %s', (header) => expect(decidingKind(header)).toBe('progress'));

  test.each([
    ['Withdrawn'],
    ['Revoked?'],
    ['Void (Y/N)'],
    ['is_deleted'],
    ['isdeleted'],
    ['IsTest'],
    ['Is Test (Y/N)'],
    ['Test flag'],
    ['Test record'],
    ['Certificate revoked'],
    ['Enrollment - Cancelled'],
    ['Storniert'],
    ['Annulé'],
    ['Eliminado'],
    ['削除'],
  ])('a flag: %s', (header) => expect(decidingKind(header)).toBe('flag'));

  test.each([
    ['Certificate Status'],
    ['CertificationStatus'],
    ['Statut du certificat'],
    ['Zertifikatsstatus'],
  ])('the state of a certificate: %s', (header) => expect(decidingKind(header)).toBe('certificate'));

  test.each([['Outcome'], ['Passed (Y/N)'], ['Attendance'], ['Training outcome'], ['Ergebnis'], ['合否']])(
    'an outcome: %s',
    (header) => expect(decidingKind(header)).toBe('outcome'),
  );

  test.each([
    [''],
    ['Test'],
    ['Test result'],
    ['Test (Y/N)'],
    ['Test entry date'],
    ['Progress notes'],
    ['User deleted'],
    ['Course cancelled'],
    ['Withdrawal reason'],
    ['Certificate number'],
    ['Certificate'],
    ['Completed'],
    ['Score %'],
    ['Percentage'],
    ['% Marked Completed'],
    ['Pass rate'],
    ['Learning outcomes covered'],
    ['Course status'],
    ['Manager'],
  ])('none of these: "%s"', (header) => expect(decidingKind(header)).toBeNull());
});
