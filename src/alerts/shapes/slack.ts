import { type AlertMessage, linesOf } from '../message.js';

/** Slack shortens a longer text. */
const LONGEST = 3_000;

export function slackShape(message: AlertMessage) {
  const lines = linesOf(message).map(escaped);
  return { text: `*Registrar: ${escaped(message.title)}*\n${lines.join('\n')}`.slice(0, LONGEST) };
}

/** Slack's marks for links and mentions; other marks only change how a text looks. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
