import type { StatusMeaning } from './status-meaning.js';

/**
 * Status words of learning systems set to other languages than English, in the form of `statusKey`. Words that may describe a
 * course as well as a learner's result ("beendet", "終了") are left out: a person must say what they mean.
 */
export const STATUS_LANGUAGES: readonly (readonly [StatusMeaning, readonly string[]])[] = [
  [
    'completed',
    list(
      'erfolgreich|erfolgreich abgeschlossen|erfolgreich bestanden|erfolgreich absolviert|erfüllt|fertig|fertiggestellt|vollständig|zertifiziert|anwesend|abgeschlossen (bestanden)|wahr',
    ),
  ],
  [
    'not-completed',
    list(
      'nicht erfolgreich|nicht absolviert|nicht erfüllt|nicht fertig|nicht anwesend|nicht erschienen|durchgefallen|abwesend|unvollständig|laufend|läuft|in arbeit|zugewiesen|gebucht|vorgemerkt|warteliste|beantragt|genehmigt|abgelehnt|versäumt|noch nicht begonnen|noch nicht abgeschlossen|falsch',
    ),
  ],
  [
    'completed',
    list(
      'validé|validée|acquis|acquise|complet|complète|effectué|effectuée|fini|finie|présent|présente|certifié|certifiée|suivi|suivie|admis|admise|réalisé|réalisée|vrai',
    ),
  ],
  [
    'not-completed',
    list(
      "non validé|non validée|non acquis|non acquise|incomplet|incomplète|absent|absente|refusé|refusée|ajourné|ajournée|non réussi|non réussie|non complété|non complétée|non achevé|non achevée|inachevé|inachevée|pas terminé|pas terminée|à faire|à commencer|non suivi|non suivie|non effectué|non effectuée|non admis|non admise|assigné|assignée|en liste d'attente|liste d'attente|non démarré|non démarrée|en progression|faux",
    ),
  ],
  [
    'completed',
    list(
      'completo|completa|superado|superada|apto|apta|asistió|asistido|cumplido|cumplida|realizado|realizada|concluido|concluida|certificado|certificada|verdadero',
    ),
  ],
  [
    'not-completed',
    list(
      'no superado|no superada|no apto|no apta|no asistió|no asistido|en proceso|suspenso|suspendido|suspendida|fallido|fallida|no finalizado|no finalizada|no terminado|no terminada|no realizado|no realizada|no cumplido|sin comenzar|no comenzado|no empezado|registrado|registrada|inscrita|asignado|asignada|atrasado|atrasada|retirado|retirada|en espera|lista de espera|abandonado|abandonada|ausente|incompleto|incompleta',
    ),
  ],
  [
    'completed',
    list(
      'completato|completata|superato|superata|concluso|conclusa|terminato|terminata|finito|finita|promosso|promossa|idoneo|idonea|frequentato|presente|sì|si|vero',
    ),
  ],
  [
    'not-completed',
    list(
      'non completato|non completata|non superato|non superata|non concluso|non conclusa|non terminato|non terminata|in corso|non iniziato|non iniziata|da iniziare|iniziato|iniziata|iscritto|iscritta|annullato|annullata|bocciato|bocciata|respinto|respinta|non idoneo|non idonea|assente|in attesa|ritirato|ritirata|assegnato|assegnata|in ritardo|non frequentato',
    ),
  ],
  ['completed', list('concluído|concluída|aprovado|aprovada|participou|compareceu|sim|verdadeiro')],
  [
    'not-completed',
    list(
      'não concluído|não concluída|não iniciado|não iniciada|em andamento|em progresso|em curso|reprovado|reprovada|não aprovado|não aprovada|não completado|não realizado|não finalizado|matriculado|matriculada|pendente|desistente|não compareceu|não|falso',
    ),
  ],
  ['completed', list('voltooid|afgerond|geslaagd|behaald|gehaald|gevolgd|aanwezig|compleet|waar')],
  [
    'not-completed',
    list(
      'niet voltooid|niet afgerond|niet geslaagd|niet behaald|niet gehaald|niet gevolgd|gezakt|bezig|in uitvoering|in behandeling|niet gestart|niet begonnen|gestart|ingeschreven|geannuleerd|afgemeld|afwezig|niet aanwezig|onvoltooid|mislukt|toegewezen|aangemeld|wachtlijst|nee',
    ),
  ],
  [
    'completed',
    list('修了|修了済|修了済み|完了|完了済|完了済み|合格|受講済|受講済み|受講完了|達成|出席|済|済み|はい'),
  ],
  [
    'not-completed',
    list(
      '未修了|未完了|不合格|受講中|未受講|進行中|学習中|実施中|未着手|未開始|開始前|未受験|未実施|欠席|取消|取り消し|キャンセル|期限超過|登録済|登録済み|申込済|申込済み|保留|中断|辞退|未|いいえ',
    ),
  ],
  [
    'exempt',
    list(
      'freigestellt|dispensé|dispensée|dispensado|dispensada|isento|isenta|expirado|expirada|esente|esentato|esonerato|scaduto|scaduta|vrijgesteld|verlopen|免除|期限切れ',
    ),
  ],
  ['equivalent', list('equivalent verklaard|gelijkwaardig|equipollente|同等')],
];

function list(words: string): readonly string[] {
  return words.split('|');
}
