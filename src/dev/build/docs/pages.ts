import { anchorOf, escapeHtml, renderMarkdown } from './html';
import { readGuides, resolveGuideLink, type Guide } from './guides';
import type { DocumentedOperation, OpenApi } from './openapi';
import { OperationView } from './operations';
import { SchemaView, schemaUrl } from './schemas';

/** A page of the documentation, without the frame that all have in common. */
export interface DocsPage {
  /** `/docs` or below. */
  readonly url: string;
  readonly title: string;
  readonly content: string;
  /** Links within the page, for the menu: address and text. */
  readonly sections: ReadonlyArray<readonly [url: string, text: string]>;
}

/** Something that the search finds. */
export interface SearchEntry {
  readonly url: string;
  readonly title: string;
  readonly kind: 'operation' | 'object' | 'guide';
  readonly text: string;
}

export interface DocsSite {
  readonly guides: readonly DocsPage[];
  readonly tags: readonly DocsPage[];
  readonly objects: readonly DocsPage[];
  readonly home: DocsPage;
  readonly entries: readonly SearchEntry[];
}

/** What a new company does first, and what each step is for. */
const QUICK_START = [
  [
    'registerCompany',
    'Register a company. The response has its `client_id` and its `api_key`, which is shown once.',
  ],
  [
    'saveGateways',
    'Connect a gateway with its secret key. In the sandbox any key that starts with `sk_test_` works.',
  ],
  ['createCardPayment', 'Make a payment. A retry with the same `Idempotency-Key` never charges twice.'],
  [
    'createWebhookEndpoint',
    'As a signed-in user, name an address for webhooks: it receives an event for each change of the payment.',
  ],
] as const;

const markdown = (text: string): string => renderMarkdown(text, resolveGuideLink).html;

export function buildSite(api: OpenApi): DocsSite {
  const schemas = new SchemaView(api, markdown);
  const operations = new OperationView(api, schemas, markdown);
  const guides = readGuides();
  const { document } = api;
  const tags = document.tags.map(({ name, description }) => {
    const own = api.operations.filter(({ tags: names }) => names.includes(name));
    return {
      url: tagUrl(name),
      title: name,
      content: `<h1>${escapeHtml(name)}</h1>${markdown(description)}${own.map((one) => operations.show(one)).join('')}`,
      sections: own.map((one) => [urlOf(one), one.summary] as const),
    };
  });
  const objects = Object.entries(document.components.schemas).map(([name, schema]) => ({
    url: schemaUrl(name),
    title: name,
    content: `<h1><code>${escapeHtml(name)}</code></h1>${markdown(schema.description ?? '')}${schemas.show(schema)}`,
    sections: [],
  }));
  return {
    guides: guides.map(guidePage),
    tags,
    objects,
    home: home(api, operations),
    entries: [
      ...api.operations.map((one) => operationEntry(api, one)),
      ...guides.flatMap(guideEntries),
      ...Object.entries(document.components.schemas).map(([name, { properties = {}, description = '' }]) => ({
        ...{ url: schemaUrl(name), title: name, kind: 'object' as const },
        text: `${Object.keys(properties).join(' ')} ${description}`.slice(0, ENTRY_LENGTH),
      })),
    ],
  };
}

const tagUrl = (name: string): string => `/docs/api/${anchorOf(name)}`;

const urlOf = ({ tags: [tag = ''], operationId }: DocumentedOperation): string =>
  `${tagUrl(tag)}#${operationId}`;

function home(api: OpenApi, operations: OperationView): DocsPage {
  const { info } = api.document;
  const steps = QUICK_START.map(([operationId, text]) => {
    const operation = api.operation(operationId);
    return `<li>${markdown(text)}${operations.samples(operation)}<p><a href="${urlOf(operation)}">${escapeHtml(operation.summary)}</a></p></li>`;
  });
  const { html, headings } = renderMarkdown(info.description, resolveGuideLink);
  return {
    url: '/docs',
    title: info.title,
    content: `<h1>${escapeHtml(info.title)}</h1>
<h2 id="quick-start"><a href="#quick-start">Quick start</a></h2><ol class="steps">${steps.join('')}</ol>${html}`,
    sections: [
      ['/docs#quick-start', 'Quick start'],
      ...headings
        .filter(({ depth }) => depth === 2)
        .map(({ anchor, text }) => [`/docs#${anchor}`, text] as const),
    ],
  };
}

function guidePage({ url, title, html, headings }: Guide): DocsPage {
  const sections = headings.filter(({ depth }) => depth === 2);
  return { url, title, content: html, sections: sections.map((one) => [`${url}#${one.anchor}`, one.text]) };
}

/** So many characters of a text are searched: enough for its terms, and the index stays small. */
const ENTRY_LENGTH = 600;

function operationEntry(api: OpenApi, operation: DocumentedOperation): SearchEntry {
  const { method, path, operationId, summary, description = '', parameters, requestBody } = operation;
  const [media] = Object.values(requestBody?.content ?? {});
  const { properties = {} } = media?.schema === undefined ? {} : api.resolve(media.schema);
  const names = [...parameters.map(({ name }) => name), ...Object.keys(properties)];
  return {
    url: urlOf(operation),
    title: summary,
    kind: 'operation',
    text: `${method} ${path} ${operationId} ${names.join(' ')} ${description}`.slice(0, ENTRY_LENGTH),
  };
}

/** One entry per section of a guide. */
function guideEntries({ url, title, source, headings }: Guide): SearchEntry[] {
  const sections = source.split(/^#{1,4} .*$/m).slice(1);
  return headings.map(({ anchor, text, depth }, index) => ({
    url: depth === 1 ? url : `${url}#${anchor}`,
    title: depth === 1 ? title : `${title}: ${text}`,
    kind: 'guide',
    text: (sections[index] ?? '').replaceAll(/\s+/g, ' ').slice(0, ENTRY_LENGTH),
  }));
}
