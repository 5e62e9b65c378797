/** What is said about a decision that is not carried out to its end, whatever it is; a restore waits for a person. */
export const CARRIED_OUT_NEXT =
  'The next registrar run or decision carries it out to its end, unless its process still does.';
