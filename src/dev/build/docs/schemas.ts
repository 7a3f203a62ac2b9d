import { escapeHtml } from './html';
import { nameOf, type OpenApi, type Reference, type Schema } from './openapi';

export type Markdown = (text: string) => string;

/** The address of a schema's page. */
export const schemaUrl = (name: string): string => `/docs/objects/${name}`;

/** Shows schemas as lists of properties. A named schema is a link to its own page, so that no page repeats it. */
export class SchemaView {
  constructor(
    private readonly api: OpenApi,
    private readonly markdown: Markdown,
  ) {}

  /** The properties of an object, or what else the schema is. */
  show(schema: Schema | Reference): string {
    if ('$ref' in schema) return this.show(this.api.resolve(schema));
    const parts = [...(schema.allOf ?? []), ...(schema.properties === undefined ? [] : [schema])];
    const properties = parts.map((part) => this.propertiesOf(this.api.resolve<Schema>(part))).join('');
    const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    if (properties !== '' || alternatives.length > 0) {
      const either =
        alternatives.length === 0
          ? ''
          : `<p>One of: ${alternatives.map((one) => this.typeOf(one)).join(' or ')}</p>`;
      return either + properties;
    }
    const item = schema.items;
    return `<p>${this.typeOf(schema)}</p>${this.limitsOf(schema)}${item === undefined ? '' : this.inner(item)}`;
  }

  /** For example `string`, `array of Payment`, `Address or null`. */
  typeOf(schema: Schema | Reference): string {
    if ('$ref' in schema) {
      const name = nameOf(schema);
      return `<a href="${schemaUrl(name)}">${escapeHtml(name)}</a>`;
    }
    const alternatives = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    if (alternatives.length > 0) return alternatives.map((one) => this.typeOf(one)).join(' or ');
    const [only] = schema.allOf ?? [];
    if (schema.allOf?.length === 1 && only !== undefined) return this.typeOf(only);
    if (schema.items !== undefined) return `array of ${this.typeOf(schema.items)}`;
    const types = [schema.type ?? 'object'].flat().join(' or ');
    return escapeHtml(schema.format === undefined ? types : `${types}, ${schema.format}`);
  }

  private propertiesOf({ properties = {}, required = [] }: Schema): string {
    const rows = Object.entries(properties).map(([name, property]) => {
      const isRequired = required.includes(name);
      const description = '$ref' in property ? '' : this.describe(property);
      return `<dt><code>${escapeHtml(name)}</code> <span class="type">${this.typeOf(property)}</span>${isRequired ? ' <span class="required">required</span>' : ''}</dt><dd>${description}${this.inner(property)}</dd>`;
    });
    return rows.length === 0 ? '' : `<dl class="properties">${rows.join('')}</dl>`;
  }

  private describe(schema: Schema): string {
    return (
      (schema.description === undefined ? '' : this.markdown(schema.description)) + this.limitsOf(schema)
    );
  }

  /** The properties of an object that has no name of its own. */
  private inner(schema: Schema | Reference): string {
    if ('$ref' in schema) return '';
    if (schema.items !== undefined) return this.inner(schema.items);
    const properties = this.propertiesOf(schema);
    return properties === '' ? '' : `<details><summary>Properties</summary>${properties}</details>`;
  }

  limitsOf(schema: Schema): string {
    const values = schema.enum?.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ');
    const limits = [
      values === undefined ? null : `One of ${values}`,
      schema.default === undefined
        ? null
        : `Default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`,
      range('', schema.minimum, schema.maximum),
      range(' characters', schema.minLength, schema.maxLength),
      range(' items', undefined, schema.maxItems),
    ].filter((limit) => limit !== null);
    return limits.length === 0 ? '' : `<p class="limits">${limits.join(' · ')}</p>`;
  }
}

function range(unit: string, from: number | undefined, to: number | undefined): string | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) return `At most ${to}${unit}`;
  return to === undefined ? `At least ${from}${unit}` : `${from} to ${to}${unit}`;
}
