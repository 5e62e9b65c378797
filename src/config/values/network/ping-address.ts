/** The address with a further step of its path: `/start` comes before a query. */
export function pingBelow(address: string, step: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/${step}`;
  return url.href;
}
