import { type AlertMessage, linesOf, opensUrgent, shownOf, TEST_TEXT } from '../message.js';

/** Longer subjects are cut by readers of mail. */
const LONGEST_SUBJECT = 180;

/** Subject and both forms of a mail. The form for browsers asks for nothing from elsewhere. */
export function mailOf(message: AlertMessage): { subject: string; text: string; html: string } {
  const subject = `[Registrar] ${opensUrgent(message) ? 'Urgent: ' : ''}${message.title}`;
  return {
    subject: subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject,
    text: `${linesOf(message).join('\n')}\n`,
    html: htmlOf(message),
  };
}

function htmlOf(message: AlertMessage): string {
  const { title, isTest, host, workspace, console } = message;
  const { shown, more } = shownOf(message);
  const told = shown.map(({ words }) => {
    const sentences = [words.text, words.remedy, ...words.details].filter((line) => line !== '');
    const command = words.command === null ? '' : `<pre>${escaped(words.command)}</pre>`;
    return `<h3>${escaped(words.title)}</h3>${sentences.map((line) => `<p>${escaped(line)}</p>`).join('')}${command}`;
  });
  const rest = more === '' ? '' : `<p>${escaped(more)}</p>`;
  const body = isTest ? `<p>${escaped(TEST_TEXT)}</p>` : told.join('') + rest;
  const link = console === null ? '' : `<p><a href="${escaped(console)}">${escaped(console)}</a></p>`;
  const from = `<p><small>Registrar on ${escaped(host)}, workspace ${escaped(workspace)}</small></p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>${body}${link}${from}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
