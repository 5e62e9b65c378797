/**
 * What a status means for delivery. `exempt`: nothing was completed and nothing is owed. `equivalent`: something else
 * was completed instead. For both, a policy decides.
 */
export type StatusMeaning = 'completed' | 'not-completed' | 'exempt' | 'equivalent';
