import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { INSTALLATION } from '../../domain/process/installation.js';
import { once } from '../../domain/process/once.js';
import { type Html, html, trustedHtml } from '../../report/page/html.js';
import { keyList } from './layout.js';
import { type Page, sectionOf } from './page.js';
import { pageNotFound } from './problem.js';

/** The documents that come with the program, by their names without .md; none where they were left out of an installation. */
const documents = once(() => {
  const folder = new URL('docs/', INSTALLATION);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return new Map(
    names.map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const [heading = '', title = name] = /^# (.+)\n/.exec(text) ?? [];
      const section = (body: Html) => html`<section class="document" aria-label="${title}">${body}</section>`;
      const content = once(() => section(rendered(text.slice(heading.length))));
      return [name.replace(/\.md$/, ''), { title: title.replaceAll('`', ''), content }] as const;
    }),
  );
});

export const helpPage: Page = {
  path: '/help',
  async show(visit) {
    const items = [...documents()].map(
      ([name, { title }]) => html`<li><a href="/help/${name}">${title}</a></li>`,
    );
    return {
      title: 'Help',
      content: html`${sectionOf('documents', 'Documents')`<ul>${items}</ul>`}
${sectionOf('keyboard', 'Keyboard')`${keyList(visit)}`}`,
    };
  },
};

/** One document. Codes and settings in its tables are places of the page: `/help/reference#status-unknown`. */
export const documentPage: Page = {
  path: '/help/:document',
  async show({ params }) {
    const document = documents().get(params.document ?? '');
    return document === undefined ? pageNotFound() : { title: document.title, content: document.content() };
  },
};

/** The address where a cause of rows is explained: an issue by its code, a held row by its cause, another one by its state. */
export function causeHelp({ state, code }: { readonly state: string; readonly code: string }): string {
  if (state === 'invalid') return `/help/reference#${code}`;
  return `/help/correct#${state === 'held' ? code : state}`;
}

const LINK = /^(?:docs\/)?([a-z-]+)\.md(#.*)?$/;

/** Markdown of the program's own documents, which needs no escaping. */
function rendered(markdown: string): Html {
  const ids = new Set<string>();
  const idOf = (text: string) => {
    const id = text
      .toLowerCase()
      .replace(/<[^<>]*>|[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    if (ids.has(id)) return '';
    ids.add(id);
    return ` id="${id}"`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth}${idOf(text)}>${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const [, name, place = ''] = LINK.exec(href) ?? [];
        if (href.startsWith('#')) return `<a href="${href}">${text}</a>`;
        return name !== undefined && documents().has(name)
          ? `<a href="/help/${name}${place}">${text}</a>`
          : text;
      },
      // Pictures of the pages are no help on a page.
      image: () => '',
      table({ header, rows }) {
        const cells = (tag: string, row: typeof header) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const body = rows.map((row) => {
          const places = [...(row[0]?.text ?? '').matchAll(/`([^`]+)`/g)].filter(
            ([, code = '']) => !ids.has(code),
          );
          for (const [, code = ''] of places) ids.add(code);
          const anchors = places
            .map(([, code = '']) => `<a id="${code.replace(/["<>&]/g, '')}"></a>`)
            .join('');
          return `<tr>${cells('td', row).replace('<td>', `<td>${anchors}`)}</tr>`;
        });
        return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells('th', header)}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
      },
    },
  });
  return trustedHtml(marked.parse(markdown, { async: false }));
}
