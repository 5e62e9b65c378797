/**
 * By language that Windows-1252 can write, words or at least names, the letters beyond ASCII that its words are written with, each with the letters that stand before and
 * behind it: `letter:before:behind`, with _ for the begin or the end of a word. Drawn from the names that CLDR has for
 * regions, languages, currencies, units and times (`Intl.DisplayNames` and its kin) and from words of course catalogues
 * and lists of people; what isn't here may still be a word.
 */
export const LETTER_NEIGHBOURS: Readonly<Record<string, string>> = {
  de: 'ä:_bdfghjklmnprstwz:cfghilnpqrstußö ö:_bghjklmnrstwzä:cdefghilnrstßü ü:_bdfghjklmnprstwzö:_bcdfghklnrstß ß:aeiouäöü:_egilr',
  fr: 'à:_jl:_ â:_bcghmprté:bcglmqt ç:_aenré:aou è:_cdfghilmnprstuv:bcdglmnqrstvz é:_abcdfghijklmnoprstuvwyzé:_abcdegijklmnopqrstuvwzâçé ê:_fimnortu:lmt ë:aou:_l î:_abdno:lmnt ï:aeou:_abcdefglmnqrstw ô:cdhprt:lmnpt ù:o:_ û:dlmors:_lrt ü:ap:kms œ:_bcfnsv:cdinstu',
  es: 'á:_bcdfiklmnprstuvwyz:_adfghilnrstuzñ é:_abcdfiklmnoprstuvw:_acilnpqrstx í:_abcdfhlmnprstuvñü:_abcfglmnorstvñ ñ:_aeiouáíóú:aeioí ó:_bcdegilmnprstvw:bglmnprstxñ ú:_abcfghlmnprstz:_ablmnrstñ ü:gp:eikí',
  pt: 'à:_:_qs á:_bcdfghijlmnoprstuvç:_bcfglqrstuvz â:_bcdfgilmrstuvz:mn ã:bcdghijlmnoprstvç:_eo ç:aeinopruí:aoáãõú é:_abcdfghlmnoprstuvz:_cdlmnqrstuvx ê:cdgilmnorstuv:_mnsv í:_acfghilmnrstuv:abcdfglmnoprstvç ó:_bcdegilmnprstv:_cgilmnprstvx ô:_cdlmnprtv:_dmnr õ:hlmprtzç:es ú:_abehijlnprtç:_bcdlnrst',
  it: 'à:ilrt:_ è:_dfot:_ é:hmnrs:_l ì:dlrsv:_ ò:ilmnru:_ ù:bginrst:_',
  nl: 'é:_fhmrvé:_lnué ë:aeio:_eilnr ï:aeou:aenst ö:or:er ü:epu:kmn è:chr:_mn ê:ru:pt ç:a:a',
  da: 'æ:_bfgjlmnprstv:_bdfgiklnrstvø ø:_bdefghjklmnprstuvæ:_bdeijlmnrsvå å:_bdfgmprstvø:_bdeglnrs é:hmr:_lu',
  sv: 'å:_bdefghklmnprstv:_abdgklnrstä ä:_bdfghjklmnprstvå:dgklmnrstvxö ö:_abdefghjklmnrstuä:_abdghiklmnprstv é:dfhlmr:_elu',
  nb: 'æ:_fgjlnrsv:lnrstø ø:_bdefhijklmnprstuæ:_bdegikmnprstvyå å:_bfghklmnprstø:_bdgklmnprst é:hmr:_lu',
  fi: 'ä:_defhijklmnprstvyäå:_ahijklmnrstvyäö ö:_ijklnprstvyäö:_bdhiklnprstyö å:_m:blä š:_aikmtu:_aeikmotu ž:d:aip',
  is: 'á:_abfhjklmnprsð:_degklmnrstíð é:_prst:gkrtu í:_abdefghjklmnprstvxáðúþ:_abdefgklmnprstuvðóúþ ó:_abdefghjklmnprstvíúþ:_abdghiklmnprstvðþ ú:_bdefghjklmnprstíþ:_abdegjklmnprstvxíó ý:_dfklnrsþ:_ajlmnprsð ð:aefiruyáæíóý:_abehijlmnrsuváíþ þ:_efglíðó:aeijoruvæíóúý æ:_bdfglnprsvþ:_gjkmnrstvð ö:_abdfhjlmprstuv:_fgklmnrst',
  ca: 'à:_bcdefghijlmnorstuvyz:_bcfhiklmnqrstuv ç:aeinor:_aouó è:_abcdfgilmnorstuvx:_clnpqrstx é:bhmrx:_lqs í:_acdefghlmnprstuxü:_abcdfglmnoprstv ï:aeu:ns ò:_bcdefgilmnrstvwx:_blmnprstx ó:acilmpstç:_nr ú:_bdgknprs:_bilmnrst ü:gipq:eklí',
  et: 'ä:_fhjklmnptä:_bdeginrstä õ:_dgjklmnprstvõ:dghiklmnprstuvzõ ö:_krstvö:_agknopstö ü:_bhjklmnprstü:adghjklnprstü š:_aikmnrtu:aeikmotuv ž:_dlo:abeipu',
  sq: 'ë:bcdghjklmnpqrstvzç:_mnrst ç:_aeinu:_aeiuë',
  ga: 'á:bcdefghilmnprstuvú:_cdgilmnrsí é:_bcdghlmnrstv:_ailu í:_abcdhlmnprstvá:_cdglnorstv ó:_bcdfghlmnprstvú:_cghilmnrstv ú:_bcdghilnrstz:_bcdilnrtváó',
  fo: 'á:_hjlmps:glmnrsv í:_flmrstv:_gklmnrstvð ó:_bcdfhjlmprt:eklnrstð ú:nr:_o ý:bklnst:gknprstuð ð:airuíóý:_aeiuv æ:gns:ls ø:_adfhjrv:knrtv',
  gl: 'á:_dghiklmnrstuwxñ:_fghmnrst é:_abcdhlmnoprtuv:_alnrsux í:_abcdlnprtu:_abflmnosvxz ñ:aeiou:aeoá ó:bcdilmprstw:lmnrx ú:bdhlpr:_ablns ü:g:i',
  pl: 'ą:dgilstzż:_bcdgpstzż ć:_eiyęłś:_w ę:bcdijnrtwzłż:_cdgkpstć ł:_abcdegopstuwzó:_acdegmnouwyóćę ń:aeiouy:_cs ó:dgkmnprtwzłż:dgjlprwłż ś:_aeijou:_clnrwć ź:_ado:_adnr ż:_adelouóą:_abdeiklnpyóąę',
  cs: 'á:_bdeghjklmnprstuvzčďřšž:_bcdghjklmnprstvzčřš č:_beimnouvyáéíúě:_aeikntuáíš ď:_aeo:_aá é:bdfgklmnrtvz:_dlmnrstuvzčš ě:bdmnv:_hjklmnrstčř í:_bcdlmnprstvzčřšž:_abchjklnprstvzčšťž ň:_aeipů:_adsů ó:cghlrzš:dnrtw ř:_abdehikoptáě:_eiáí š:_abdefghijklmnoprtuvyzáéíčž:_aeikmopstuváíó ť:ruí:_ ú:_ahls:dnrtvzč ů:cdjkmnrstvň:_blmvňž ý:klnrstv:_cdmr ž:_adeilnoruíů:_abeinpsáíš',
  hu: 'á:_bdefghijklmnprstuvyz:bcdghjklmnprstvz é:_bdfghklmnprstvz:_bcdgklmnprstuvz í:_cdklmprstyz:_blmnrtvz ó:_abcdghijklmnrstvz:_abcdegiklmnprstz ö:_bfgjklnrtyz:degklnprsvz ő:_bdfklnrstvyz:_aghikmnrstvz ú:_ahjmprty:_djlnprsz ü:_fhjkmprstz:agklnrtvz ű:dfmrstyz:_chklrstvz',
  sl: 'č:_abeimnopruvš:_aeijlnru š:_abdefgijklmnoprtuv:_aeiklmnoprtuvč ž:_adeiloru:_aeijnpu',
  tr: 'ç:_abefhiklnopstuçüğış:_aeioruyçü ğ:aeiouöı:_abdeiloruçı i̇:_bcdfghklmnprstvyzçğş:_bcdfghklmnprstvyzçş ı:_cdghklmnrstyğş:_bcklmnprstuzçğş ö:_brsyö:_bdilmnszöğ ş:_aeiklmnoruyüı:_aeikmnotuçı ü:_bcdghklmnpstyç:_bcdklmnrsvyzçş',
};
