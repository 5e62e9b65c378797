export async function mapSeries<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item, results.length));
  return results;
}

export async function filterSeries<T>(items: Iterable<T>, test: (item: T) => Promise<boolean>): Promise<T[]> {
  const results: T[] = [];
  for (const item of items) if (await test(item)) results.push(item);
  return results;
}

/** The items that a generator yields, `limit` of them at most. */
export async function collected<T>(items: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
  const results: T[] = [];
  for await (const item of items) if (results.push(item) >= limit) break;
  return results;
}
