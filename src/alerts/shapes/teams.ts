import { type AlertMessage, linesOf } from '../message.js';

/** Teams refuses a card of more than 28 kB. */
const LONGEST = 20_000;

export function teamsShape(message: AlertMessage) {
  const block = (text: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ type: 'TextBlock', text, wrap: true },
    ...more,
  });
  // A blank line begins a paragraph.
  const lines = linesOf(message).filter((line) => line !== '');
  const text = lines.map((line) => escaped(line.trim())).join('\n\n');
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(escaped(`Registrar: ${message.title}`), { weight: 'Bolder', size: 'Medium' }),
            block(text.slice(0, LONGEST)),
          ],
        },
      },
    ],
  };
}

/** A text block reads Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]()#!<>~|]/g, '\\$&');
}
