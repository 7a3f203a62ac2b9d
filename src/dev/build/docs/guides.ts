import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../paths';
import { renderMarkdown, type RenderedMarkdown, type ResolveLink } from './html';

/** The pages of `docs/` for who uses the API, in the order of the menu. The others are for who runs or changes the service. */
const GUIDES = [
  ['api-guide', 'API guide'],
  ['checkout', 'Checkout'],
  ['subscriptions', 'Subscriptions'],
  ['webhooks', 'Webhooks'],
  ['webhook-events', 'Event catalogue'],
  ['disputes', 'Disputes'],
  ['routing', 'Routing'],
  ['users-and-dashboard', 'Users and dashboard'],
  ['simulator', 'Simulator'],
  ['glossary', 'Glossary'],
] as const;

export interface Guide extends RenderedMarkdown {
  readonly url: string;
  readonly title: string;
  readonly source: string;
}

export const guideUrl = (name: string): string => `/docs/guides/${name}`;

export function readGuides(): readonly Guide[] {
  return GUIDES.map(([name, title]) => {
    const source = readFileSync(join(projectRoot, 'docs', `${name}.md`), 'utf8');
    return { ...renderMarkdown(source, resolveGuideLink), url: guideUrl(name), title, source };
  });
}

/** From one page of `docs/` to another, to the API, or to another host. */
export const resolveGuideLink: ResolveLink = (href) => {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  if (file === '../openapi.yaml') return '/docs/openapi.json';
  const guide = GUIDES.find(([name]) => file === `${name}.md`);
  return guide === undefined ? null : guideUrl(guide[0]) + anchor;
};
