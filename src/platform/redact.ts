/** Shorter texts are no secrets worth the name, and replacing them would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * The text without the secrets: each place where one stands, as it is or as forms, addresses and JSON write it, says
 * `[redacted]`.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(writtenForms));
  // Longest first: a secret that begins with another must not leave its end behind.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((redacted, form) => redacted.replaceAll(form, '[redacted]'), text);
}

function writtenForms(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
}
