import { describe, expect, it } from 'vitest';
import { matchHeaders } from '../../../src/normalise/mapping/match-headers.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';

/** The field that this header alone is taken for, without the help of a preset; null: none. */
function fieldOf(header: string): string | null {
  const { mapped } = matchHeaders([header], submitCompletion, { columns: {}, defaults: {}, preset: 'none' });
  return Object.keys(mapped)[0] ?? null;
}

type Expected = Readonly<Record<string, readonly string[]>>;

/** Headers of vendors' exports by the field they are; `none`: a known header never says so, though a preset may. */
const VENDORS: Readonly<Record<string, Expected>> = {
  degreed: {
    'user-id': ['UserID'],
    'content-id': ['CourseID', 'CustomerContentID'],
    'content-type': ['ContentType'],
    'completed-at': ['CompletionDate'],
    none: ['Provider'],
  },
  cornerstone: {
    'user-id': ['User - Email', 'User - User ID', 'User ID'],
    'content-id': ['Training - Training Object ID', 'LO ID'],
    'content-title': ['Training Title'],
    'completed-at': ['Transcript - Transcript Completed Date', 'Transcript Completed Date'],
    percentile: ['Transcript Score'],
    status: ['Transcript Status'],
    none: [
      'Transcript Assigned Date',
      'Transcript Due Date',
      'Transcript Registration Date',
      'Training Type',
    ],
  },
  'cornerstone in Spanish': {
    'user-id': ['ID de usuario', 'Correo electrónico'],
    'content-title': ['Título de la capacitación'],
    'completed-at': ['Fecha de finalización de expediente', 'Fecha de finalización'],
    status: ['Estado del expediente', 'Estado'],
    none: ['Fecha de vencimiento', 'Fecha de inscripción', 'Fecha de inicio', 'Nombre de usuario del jefe'],
  },
  successfactors: {
    'user-id': ['STUD_ID', 'Student ID', 'User ID'],
    'content-id': ['CPNT_ID', 'Item ID'],
    'completed-at': ['COMPL_DTE', 'Completion Date'],
    'completed-at-zone': ['COMPL_DTE_TIMEZONE'],
    percentile: ['GRADE'],
    status: ['CMPL_STAT_ID'],
    none: ['CPNT_TYP_ID', 'REV_DTE'],
  },
  'adobe learning manager': {
    'user-id': ['Email', 'Unique ID', 'User Email'],
    'content-id': ['Training ID'],
    'content-title': ['Course'],
    'completed-at': ['Completion Date (UTC TimeZone)'],
    percentile: ['Quiz_score', 'Grade'],
    none: [
      'LP/Certification/Course',
      'Enrolled Date (UTC TimeZone)',
      'Started Date (UTC TimeZone)',
      'Progress %',
    ],
  },
  'linkedin learning': {
    'user-id': ['Email', 'Unique User ID'],
    'content-id': ['Content ID'],
    'content-title': ['Content Name'],
    'completed-at': ['Completed At', 'Completed At (PST/PDT)'],
    none: ['Percent Completed', 'Last Viewed', 'Last Viewed (PST/PDT)', 'First Viewed'],
  },
  'udemy business': {
    'user-id': ['User Email', 'External ID', 'LMS User ID'],
    'content-id': ['Course ID'],
    'content-title': ['Course Title'],
    'completed-at': ['Date Completed'],
    none: ['First Date Completed', '% Marked Completed', 'Date Enrolled (UTC)', 'Last Accessed Date'],
  },
  coursera: {
    'user-id': ['Email', 'External Id'],
    'content-id': ['Course ID', 'Course Slug'],
    'content-title': ['Course'],
    'completed-at': ['Completion Time'],
    percentile: ['Course Grade'],
    none: ['Enrollment Time', 'Last Course Activity Time', 'Overall Progress'],
  },
  percipio: {
    'user-id': ['User Email', 'Email', 'User ID'],
    'content-id': ['Content ID'],
    'content-title': ['Content Title'],
    'completed-at': ['Completion Date'],
    percentile: ['High Score'],
    none: ['First Access', 'Last Access', 'First Score', 'Percent Complete'],
  },
  'open edx': {
    'user-id': ['Email', 'Username', 'Student ID'],
    percentile: ['Grade'],
    none: ['Certificate Eligible', 'Enrollment Track', 'Certificate Delivered'],
  },
  moodle: {
    'user-id': ['Email address', 'Username'],
    'content-id': ['Course short name', 'Course idnumber'],
    'completed-at': ['Completed'],
    percentile: ['Grade', 'Final grade'],
    none: ['ID number', 'Course complete', 'Last access'],
  },
  totara: {
    'user-id': ['username'],
    'content-id': ['courseshortname', 'courseidnumber'],
    'completed-at': ['completiondate'],
    percentile: ['grade'],
    none: ['duedate'],
  },
  learnupon: {
    'user-id': ['Login ID'],
    'content-title': ['Course Name'],
    'completed-at': ['Enrollment Completed Date'],
    percentile: ['Enrollment Score'],
    status: ['Enrollment Status'],
    none: [
      'Enrollment Created Date',
      'Enrollment Started Date',
      'Enrollment Due Date',
      'Enrollment Expiry Date',
    ],
  },
  'iomad, dualcode, skyprep, learning pool': {
    'user-id': ['username', 'userid', 'email', 'User Identifier'],
    'content-id': ['courseid', 'course_shortname', 'Learning Experience External ID'],
    'content-title': ['coursename'],
    'completed-at': [
      'timecompleted',
      'completed_on',
      'completion_date',
      'Learning Experience Completion Date',
    ],
    percentile: ['final_grade'],
    none: ['timestarted', 'timeenrolled', 'timeexpires'],
  },
  docebo: {
    'user-id': ['username', 'Email'],
    'content-id': ['course_id', 'course_code'],
    'completed-at': ['Completion Date'],
    percentile: ['Score', 'Final score'],
    none: ['Enrollment Date', 'Course First Access Date', 'Course Last Access Date'],
  },
  knowbe4: {
    'user-id': ['Email'],
    'completed-at': ['Completion Date'],
    percentile: ['Score'],
    status: ['Status'],
    none: ['Content', 'Assignment', 'Enrollment Date', 'Start Date', 'Due Date'],
  },
  taleo: {
    'user-id': ['Username'],
    'completed-at': ['Date Completed'],
    none: ['Course/Learning Plan Name', 'Date Started', 'Due Date', 'Expiration Date'],
  },
  'zoom and teams': {
    'user-id': ['User Email', 'Email', 'Participant ID (UPN)'],
    none: [
      'Name (Original Name)',
      'Join Time',
      'Leave Time',
      'Duration (Minutes)',
      'First join',
      'Last leave',
      'In-meeting duration',
    ],
  },
  'systems of personnel departments': {
    'user-id': ['employee_id', 'Employee ID', 'emp_id', 'Work Email Address'],
    'content-id': ['course_id'],
    'content-title': ['course_name', 'training_course', 'CourseName'],
    'completed-at': ['completion_date', 'completed_on'],
    percentile: ['score', 'final_grade'],
    none: ['TrainingDate', 'training_start_date', 'manager_email'],
  },
};

describe.each(Object.entries(VENDORS))('headers of %s', (_, expected) => {
  const rows = Object.entries(expected).flatMap(([field, headers]) =>
    headers.map((header) => [header, field] as const),
  );

  it.each(rows)('%s: %s', (header, field) => {
    expect(fieldOf(header) ?? 'none').toBe(field);
  });
});

/** A group puts an alias behind any word; alone none of these is an alias. */
describe.each(['%s', 'Training - %s', '%s - Completion', '%s *'])(
  'as "%s", a header that is never the time of completion',
  (form) => {
    it.each([
      ...[
        'Due Date',
        'Deadline',
        'Start Date',
        'Started',
        'Date Enrolled',
        'Enrollment Date',
        'Registration Date',
      ],
      ...[
        'Assigned',
        'Assignment Date',
        'Expires',
        'Expiration Date',
        'Valid until',
        'Last viewed',
        'Last active',
      ],
      ...[
        'Last access',
        'First accessed',
        'Expected Completion Date',
        'Target Completion Date',
        'Planned End Date',
      ],
      ...[
        'Startdatum',
        'Beginn',
        'Fällig am',
        'Fälligkeitsdatum',
        'Frist',
        'Einschreibedatum',
        'Anmeldedatum',
      ],
      ...[
        'Zugewiesen am',
        'Ablaufdatum',
        'Gültig bis',
        'Letzter Zugriff',
        'Zuletzt aktiv',
        'Geplanter Abschluss',
      ],
      ...[
        'Fecha de inicio',
        'Fecha de inscripción',
        'Fecha límite',
        'Fecha de vencimiento',
        'Fecha de asignación',
      ],
      ...['Último acceso', 'Fecha de caducidad', 'Fecha prevista de finalización'],
      ...[
        'Date de début',
        "Date d'inscription",
        "Date d'échéance",
        'Date limite',
        "Date d'expiration",
        'Dernier accès',
      ],
      ...["Date d'attribution", "Date prévue d'achèvement", '期限', '開始日', '登録日', '有効期限', '予定日'],
    ])('%s', (header) => {
      expect(fieldOf(form.replace('%s', header))).not.toBe('completed-at');
    });
  },
);

describe('a group that says otherwise keeps a date from being the time of completion', () => {
  it.each([
    ...['Enrollment - End Date', 'Assignment - Finish on', 'Due - Completion Date', 'Target - Completed on'],
    ...['Expected - Completion Date', 'Expiry - End Date', 'Last Access - End Date', 'Ablauf - End Date'],
    ...[
      'Inscripción - End Date',
      'Échéance - End Date',
      'Geplant - Abschlussdatum',
      'Prevista - Fecha de finalización',
    ],
    ...['期限 - End Date'],
  ])('%s', (header) => {
    expect(fieldOf(header)).toBeNull();
  });

  it('while one that says nothing of the kind does not', () => {
    expect(fieldOf('Enrollment - Completion Date')).toBe('completed-at');
    expect(fieldOf('Expediente - Fecha de finalización')).toBe('completed-at');
  });
});

describe('a header that is never mapped to the score', () => {
  it.each([
    ...[
      'Progress',
      'Progress %',
      'Overall progress',
      '% Marked Completed',
      'Percent Completed',
      'Completion %',
    ],
    ...['Completion - Percentage', 'Progress - Percentage', 'Progress - Score %', 'Completion Rate'],
    ...[
      'Fortschritt',
      'Fortschritt - Percentage',
      'Progreso - Percentage',
      'Porcentaje completado',
      'Avancement - Note',
    ],
    ...['Pourcentage achevé', '進捗 - Percentage'],
  ])('%s', (header) => {
    expect(fieldOf(header)).not.toBe('percentile');
  });
});

describe('a header that is never mapped to the learner', () => {
  it.each([
    ...['Manager - Email', 'Supervisor Email', 'Instructor - Email', 'Trainer - User ID', 'Approver - Login'],
    ...[
      'Vorgesetzter - E-Mail-Adresse',
      'Dozent - Email',
      'Jefe - Correo electrónico',
      'Formateur - Courriel',
      '上司 - メール',
    ],
  ])('%s', (header) => {
    expect(fieldOf(header)).not.toBe('user-id');
  });
});

/** One export of a learning system set to another language, header by header, with the field that each is. */
const LANGUAGES: Readonly<Record<string, readonly (readonly [string, string | null])[]>> = {
  German: [
    ['E-Mail-Adresse', 'user-id'],
    ['Kurs-ID', 'content-id'],
    ['Kursname', 'content-title'],
    ['Abschlussdatum', 'completed-at'],
    ['Punktzahl', 'percentile'],
    ['Kursstatus', 'status'],
    ['Fällig am', null],
  ],
  'German of a personnel system': [
    ['Personal-Nr.', 'user-id'],
    ['Kurs-Nr.', 'content-id'],
    ['Kurs', 'content-title'],
    ['Abgeschlossen am', 'completed-at'],
    ['Ergebnis', 'percentile'],
    ['Führungskraft E-Mail', null],
  ],
  French: [
    ['Adresse e-mail', 'user-id'],
    ['Code formation', 'content-id'],
    ['Intitulé', 'content-title'],
    ['Date de fin', 'completed-at'],
    ['Résultat', 'percentile'],
    ['Statut', 'status'],
    ['Date de début', null],
  ],
  'French of a personnel system': [
    ['Matricule', 'user-id'],
    ['Code de la formation', 'content-id'],
    ['Intitulé de la formation', 'content-title'],
    ['Date d’achèvement', 'completed-at'],
    ['Note', 'percentile'],
    ['État', 'status'],
  ],
  Spanish: [
    ['Correo electrónico', 'user-id'],
    ['Código del curso', 'content-id'],
    ['Nombre del curso', 'content-title'],
    ['Fecha de finalización', 'completed-at'],
    ['Calificación', 'percentile'],
    ['Estado', 'status'],
  ],
  Italian: [
    ['Indirizzo e-mail', 'user-id'],
    ['Codice corso', 'content-id'],
    ['Titolo del corso', 'content-title'],
    ['Data di completamento', 'completed-at'],
    ['Punteggio', 'percentile'],
    ['Stato', 'status'],
  ],
  Portuguese: [
    ['Endereço de e-mail', 'user-id'],
    ['Código do curso', 'content-id'],
    ['Nome do curso', 'content-title'],
    ['Data de conclusão', 'completed-at'],
    ['Pontuação', 'percentile'],
    ['Situação', 'status'],
  ],
  Dutch: [
    ['E-mailadres', 'user-id'],
    ['Cursuscode', 'content-id'],
    ['Cursusnaam', 'content-title'],
    ['Datum voltooid', 'completed-at'],
    ['Resultaat', 'percentile'],
    ['Voortgangsstatus', 'status'],
  ],
  Japanese: [
    ['メールアドレス', 'user-id'],
    ['コースID', 'content-id'],
    ['コース名', 'content-title'],
    ['修了日', 'completed-at'],
    ['得点', 'percentile'],
    ['受講状況', 'status'],
    ['受講期限', null],
  ],
};

it.each(Object.entries(LANGUAGES))('an export in %s is mapped by its headers', (_, headers) => {
  const names = headers.map(([header]) => header);
  const source = { columns: {}, defaults: {}, preset: 'none' } as const;
  const { mapped, unmapped } = matchHeaders(names, submitCompletion, source);
  const found = Object.entries(mapped).map(([field, { header }]) => [header, field]);
  expect(found.sort()).toEqual(
    headers
      .filter(([, field]) => field !== null)
      .map((pair) => [...pair])
      .sort(),
  );
  expect(unmapped).toEqual(headers.filter(([, field]) => field === null).map(([header]) => header));
});

describe('"Note" is a grade or a remark, which its values decide', () => {
  const mappedBy = (note: string | number) => {
    const sample = [['a@example.com', 'C1', '2024-03-01', note]];
    const source = { columns: {}, defaults: {} };
    return matchHeaders(['Email', 'Course ID', 'Completed on', 'Note'], submitCompletion, source, sample)
      .mapped;
  };

  it.each(['85', 92.5, '15/20', '87,5 %', ''])('%j: a grade', (note) => {
    expect(mappedBy(note).percentile?.header).toBe('Note');
  });

  it.each(['repeated in March', 'see chapter 3', 'ok'])('%j: a remark', (note) => {
    expect(mappedBy(note).percentile).toBeUndefined();
  });
});
