/** The worst score becomes 0, the best 100. */
export const SCORE_SCALES = {
  '0-100': { worst: 0, best: 100 },
  '0-1': { worst: 0, best: 1 },
  '0-10': { worst: 0, best: 10 },
  '0-5': { worst: 0, best: 5 },
  '0-4': { worst: 0, best: 4 },
  '1-5': { worst: 1, best: 5 },
} as const;

export type ScoreScale = keyof typeof SCORE_SCALES;

export const SCALE_NAMES = Object.keys(SCORE_SCALES) as [ScoreScale, ...ScoreScale[]];
