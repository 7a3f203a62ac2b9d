import { Marked } from 'marked';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attribute values in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** `Payment links` becomes `payment-links`, as GitHub makes the anchors of headings. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Where a link leads in the documentation; null if it leads to a file that is not part of it. */
export type ResolveLink = (href: string) => string | null;

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Markdown as HTML. Headings get anchors, wide tables scroll by themselves, and HTML in the text is shown as text. */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): RenderedMarkdown {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const content = this.parser.parseInline(tokens);
        const text = content.replaceAll(/<[^>]*>/g, '');
        const anchor = anchorOf(unescapeHtml(text));
        headings.push({ depth, text: unescapeHtml(text), anchor });
        return `<h${depth} id="${escapeHtml(anchor)}"><a href="#${escapeHtml(anchor)}">${content}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = resolveLink(href);
        return target === null ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
      },
      image: ({ text }) => `<em>${escapeHtml(text)}</em>`,
      html: ({ text }) => escapeHtml(text),
      table(token) {
        const cells = (row: typeof token.header, tag: string): string =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      code: ({ text }) => `${codeBlock(text)}\n`,
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

/** Focusable, because it scrolls sideways. */
export function codeBlock(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

function unescapeHtml(text: string): string {
  return Object.entries(ENTITIES).reduce(
    (result, [character, entity]) => result.replaceAll(entity, character),
    text,
  );
}
