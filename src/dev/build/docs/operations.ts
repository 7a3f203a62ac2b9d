import { codeBlock, escapeHtml } from './html';
import {
  examplesOf,
  type DocumentedOperation,
  type MediaType,
  type OpenApi,
  type Parameter,
} from './openapi';
import { LANGUAGES, sampleRequest, samplesOf, type SampleLanguage } from './samples';
import type { Markdown, SchemaView } from './schemas';

const LANGUAGE_NAMES: Readonly<Record<SampleLanguage, string>> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
};

const WHERE: Readonly<Record<Parameter['in'], string>> = {
  path: 'in the path',
  query: 'in the query',
  header: 'header',
  cookie: 'cookie',
};

/** Shows operations with their parameters, bodies, answers and code samples. */
export class OperationView {
  constructor(
    private readonly api: OpenApi,
    private readonly schemas: SchemaView,
    private readonly markdown: Markdown,
  ) {}

  show(operation: DocumentedOperation): string {
    const { operationId, method, path, summary, description, requestBody } = operation;
    const permission = operation['x-required-permission'];
    return `<article class="operation" id="${operationId}">
<h2><a href="#${operationId}">${escapeHtml(summary)}</a></h2>
<p class="route"><span class="method" data-method="${method}">${method}</span> <code>${escapeHtml(path)}</code></p>
<div class="columns"><div class="facts">
${description === undefined ? '' : this.markdown(description)}
${permission === undefined ? '' : `<p class="limits">Needs the permission <code>${escapeHtml(permission)}</code></p>`}
${this.parameters(operation)}
${requestBody === undefined ? '' : this.body(Object.values(requestBody.content)[0])}
${this.responses(operation)}
</div>
${this.samples(operation)}
</div></article>`;
  }

  samples(operation: DocumentedOperation): string {
    const samples = samplesOf(sampleRequest(this.api, operation));
    const choices = LANGUAGES.map(
      (language, index) =>
        `<label><input type="radio" name="sample-${operation.operationId}" value="${language}"${index === 0 ? ' checked' : ''}>${LANGUAGE_NAMES[language]}</label>`,
    );
    const blocks = LANGUAGES.map(
      (language) => `<div data-language="${language}">${codeBlock(samples[language])}</div>`,
    );
    return `<fieldset class="samples"><legend>Code sample</legend><div class="languages">${choices.join('')}</div>${blocks.join('')}</fieldset>`;
  }

  private parameters({ parameters }: DocumentedOperation): string {
    if (parameters.length === 0) return '';
    const rows = parameters.map(({ name, in: place, required, description, schema }) => {
      const type = schema === undefined ? '' : this.schemas.typeOf(schema);
      const limits = schema === undefined ? '' : this.schemas.limitsOf(this.api.resolve(schema));
      const need = required === true ? ' <span class="required">required</span>' : '';
      return `<dt><code>${escapeHtml(name)}</code> <span class="type">${WHERE[place]}, ${type}</span>${need}</dt><dd>${this.markdown(description ?? '')}${limits}</dd>`;
    });
    return `<h3>Parameters</h3><dl class="properties">${rows.join('')}</dl>`;
  }

  private body(media: MediaType | undefined): string {
    if (media?.schema === undefined) return '';
    const examples = examplesOf(media).slice(1);
    return `<h3>Body</h3>${this.schemas.show(media.schema)}${examples.map(({ title, value }) => example(title, value)).join('')}`;
  }

  private responses({ responses }: DocumentedOperation): string {
    const rows = Object.entries(responses).map(([status, declared]) => {
      const { description, content } = this.api.resolve(declared);
      const [media] = Object.values(content ?? {});
      const type =
        media?.schema === undefined ? '' : ` <span class="type">${this.schemas.typeOf(media.schema)}</span>`;
      const isSuccess = status.startsWith('2');
      const [first] = media === undefined || !isSuccess ? [] : examplesOf(media);
      return `<dt><code>${status}</code>${type}</dt><dd>${this.markdown(description)}${first === undefined ? '' : example('Example', first.value)}</dd>`;
    });
    return `<h3>Responses</h3><dl class="properties">${rows.join('')}</dl>`;
  }
}

export function example(title: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return `<details><summary>${escapeHtml(title)}</summary>${codeBlock(text)}</details>`;
}
