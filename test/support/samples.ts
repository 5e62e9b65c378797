/** What SAMPLES leaves of the samples that properties draw: 1 of all, as by hand; less where time is short. */
const SHARE = Number(process.env.SAMPLES ?? 1);

/** How many samples a slow property draws, of as many as it draws by hand; one at least. */
export function samples(count: number): number {
  return Math.max(1, Math.ceil(count * SHARE));
}
