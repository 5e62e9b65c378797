/**
 * Headers for the fields of a completion in exports in other languages than English, best first; the headers of a course's title
 * also serve the operations on courses. German, French, Spanish, Italian, Portuguese, Dutch, Japanese.
 */
export const HEADER_LANGUAGES = {
  email: list(`
    mailadresse|dienstliche e-mail|dienstliche e-mail-adresse|geschäftliche e-mail|e-mail (dienstlich)|e-mail geschäftlich
    adresse mail|adresse électronique|adresse de courriel|e-mail professionnel|mail professionnel
    correo|dirección de correo electrónico|correo electrónico corporativo|correo corporativo
    indirizzo e-mail|indirizzo mail|indirizzo di posta elettronica|posta elettronica
    endereço de e-mail|correio eletrônico|correio eletrónico
    e-mailadres|zakelijk e-mailadres
    メールアドレス|電子メール|eメール|電子メールアドレス`),
  employeeId: list(`
    employee number|employee no|employee no.|staff id|staff number|personnel no
    mitarbeiternummer|mitarbeiternr|mitarbeiter-id|personalnr|persnr|personal-id
    matricule|numéro de matricule|numéro d'employé|id employé
    número de empleado|id de empleado|n.º de empleado
    matricola|numero di matricola|id dipendente
    id do funcionário|número do funcionário
    personeelsnummer|medewerkernummer|medewerker-id
    社員番号|従業員番号|社員id|従業員id|職員番号`),
  userId: list(`
    learner id|participant id
    benutzer-id|benutzerkennung|benutzername|nutzer-id|nutzername|teilnehmer-id|lerner-id|anmeldename
    identifiant|identifiant utilisateur|id utilisateur|nom d'utilisateur|identifiant apprenant
    nombre de usuario|usuario|id del usuario
    id utente|nome utente
    id do usuário|matrícula|nome de usuário|id do utilizador|nome de utilizador
    gebruikers-id|gebruikersnaam
    ユーザーid|ユーザid|ユーザー名|ユーザ名|ログインid|学習者id|受講者id`),
  contentId: list(`
    kurs-id|kursnr|kursnummer|kurscode|kurskennung|kurskürzel|kursschlüssel|schulungs-id|schulungsnr|schulungsnummer|schulungscode
    seminar-id|seminarnr|seminarnummer|veranstaltungsnr|veranstaltungsnummer|trainings-id|trainingsnr|lernobjekt-id|inhalts-id
    code formation|code de formation|code de la formation|code du cours|code cours|id formation|id de la formation|id du cours
    identifiant du cours|identifiant de la formation|référence formation|référence de la formation|référence du cours|numéro de cours|n° de formation
    código del curso|código de curso|id del curso|id de curso|código de formación|código de la formación|id de capacitación|código de capacitación|código de la capacitación
    codice corso|codice del corso|id corso|id del corso
    código do curso|id do curso|código da formação|código do treinamento
    cursuscode|cursus-id|cursusnummer|opleidingscode|trainingscode
    コースid|コースコード|コース番号|講座id|講座コード|講座番号|研修id|研修コード|科目コード|教材id|コンテンツid`),
  contentTitle: list(`
    kurs|kursname|kurstitel|kursbezeichnung|schulung|schulungsname|schulungstitel|schulungsbezeichnung|seminar|seminartitel|lerninhalt|veranstaltung
    intitulé de la formation|intitulé formation|intitulé du cours|intitulé|nom de la formation|nom du cours|titre de la formation|titre du cours|formation|cours
    nombre del curso|nombre de curso|título del curso|nombre de la capacitación|capacitación|formación|curso
    nome del corso|nome corso|titolo del corso|titolo corso|corso
    nome do curso|título do curso|treinamento
    cursusnaam|cursustitel|naam cursus|opleiding|cursus
    コース名|コース|講座名|研修名|科目名|コンテンツ名|教材名`),
  completedAt: list(`
    datum des abschlusses|abschluss am|abgeschlossen|beendet am|absolviert am|bestanden am|kursabschluss|enddatum|abschlusszeitpunkt|datum abschluss
    date d'achèvement du cours|date de complétion|date de réalisation|date d'obtention|date de validation|date de fin|date de fin de formation|date fin|terminé le|achevé le|complété le
    fecha de finalización del curso|fecha de término|fecha de terminación|fecha de completado|fecha de fin|fecha fin|finalizado el|completado el|fecha de conclusión
    data di completamento|data completamento|data di fine|data fine|data conclusione|completato il
    data de conclusão|data da conclusão|data de término|data de finalização|concluído em
    voltooiingsdatum|datum voltooid|voltooid op|datum afgerond|afgerond op|einddatum
    修了日|修了日時|完了日|完了日時|受講完了日|受講修了日|合格日|終了日|受講終了日`),
  score: list(`
    ergebnis|ergebnis %|ergebnis (%)|ergebnis in %|ergebnis in prozent|punkte|punktzahl|punktestand|gesamtpunktzahl|erreichte punkte|erreichte punktzahl|testergebnis|gesamtergebnis
    résultat|résultat (%)|score (%)|note finale|note obtenue|pourcentage|score obtenu
    puntuación|puntuación final|calificación|calificación final|puntaje|nota|nota final|resultado
    punteggio|punteggio finale|voto|risultato
    pontuação|pontuação final|percentual
    eindcijfer|cijfer|punten|resultaat
    点数|得点|スコア|成績|評点|テスト得点`),
  status: list(`
    kursstatus|abschlussstatus|teilnahmestatus|teilnehmerstatus|lernstatus|bearbeitungsstatus|bestanden
    statut de la formation|statut du cours|statut d'achèvement|état|état d'achèvement
    estado de finalización|estado del curso|estado de la capacitación
    stato|stato del corso|stato completamento|stato di completamento
    situação|status de conclusão|estado da inscrição|situação do curso
    voortgangsstatus|voltooiingsstatus
    状態|ステータス|修了状況|修了ステータス|受講状況|受講状態|受講ステータス|完了状況|学習状況|合否`),
  timeZone: list(`
    time zone|tz|utc offset|gmt offset|offset from utc|time zone offset|zeitzone|utc-versatz|fuseau horaire|décalage utc
    zona horaria|huso horario|fuso orario|fuso horário|tijdzone|タイムゾーン`),
} as const;

function list(lines: string): readonly string[] {
  return lines
    .split(/[|\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
