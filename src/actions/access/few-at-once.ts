/** Does costly work a few at a time. */
export interface FewAtOnce {
  /** The work's promise, once it is its turn; null where too much waits already, and the work is not done. */
  run<Done>(work: () => Promise<Done>): Promise<Done> | null;
}

/**
 * Lets so many go on at once, and so many wait for their turn in the order in which they came.
 * @param atOnce at least 1.
 */
export function fewAtOnce(atOnce: number, mayWait: number): FewAtOnce {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const begin = async <Done>(work: () => Promise<Done>): Promise<Done> => {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  };
  return {
    run(work) {
      if (underWay < atOnce) return begin(work);
      if (waiting.length >= mayWait) return null;
      return new Promise((resolve, reject) => {
        waiting.push(() => void begin(work).then(resolve, reject));
      });
    },
  };
}
