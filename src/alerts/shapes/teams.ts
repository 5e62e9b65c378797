import { type AlertMessage, linesOf } from '../message.js';

/** Teams refuses a card of more than 28 kB. */
const LONGEST = 20_000;

/** What a block needs besides its text. */
const PER_BLOCK = 80;

/** A message as the workflows of Microsoft Teams take it: an adaptive card. */
export function teamsShape(message: AlertMessage) {
  const block = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
    type: 'TextBlock',
    text: escaped(text),
    wrap: true,
    ...more,
  });
  let length = 0;
  const lines = linesOf(message).filter((line) => {
    length += line.length + PER_BLOCK;
    return line !== '' && length <= LONGEST;
  });
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
            block(`Registrar: ${message.title}`, { weight: 'Bolder', size: 'Medium' }),
            ...lines.map((line) => block(line.trim(), { spacing: 'Small' })),
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
