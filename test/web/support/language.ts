import type { Page } from 'playwright-core';

/** Words of English sentences that no Portuguese sentence has. */
const ENGLISH =
  /\b(?:the|is|are|was|were|has|have|been|not|of|and|with|without|this|that|these|your|you|from|must|cannot|when|which|will|until|yet|its|it)\b/i;

/** Texts, and names for screen readers, of everything on the page. */
export function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(TEXTS);
}

/** Those that are English sentences. */
export function englishTexts(texts: readonly string[]): string[] {
  return texts.filter((text) => ENGLISH.test(text));
}

/** Code is left out: ids, addresses, and the words of gateways. */
const TEXTS = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (parentElement.closest('script, style, noscript, code, pre') === null) texts.push(nodeValue.trim());
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '');
  }
  return [...new Set(texts)].filter((text) => text !== '');
})()`;
