import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { openapiPath } from '../../../paths';

/* What the documentation reads of openapi.yaml, which `npm run lint:contract` has checked. */

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly anyOf?: ReadonlyArray<Schema | Reference>;
  readonly oneOf?: ReadonlyArray<Schema | Reference>;
  readonly allOf?: ReadonlyArray<Schema | Reference>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema | Reference;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema?: Schema | Reference;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  readonly parameters?: ReadonlyArray<Parameter | Reference>;
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly 'x-required-permission'?: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly security: NonNullable<Operation['security']>;
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly paths: Readonly<
    Record<string, Partial<Record<(typeof METHODS)[number], Operation>> & Pick<Operation, 'parameters'>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its path, all its parameters resolved. */
export interface DocumentedOperation extends Omit<Operation, 'parameters' | 'security'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly security: NonNullable<Operation['security']>;
}

export class OpenApi {
  readonly operations: readonly DocumentedOperation[];

  constructor(readonly document: Document) {
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        return [
          {
            ...operation,
            method: method.toUpperCase(),
            path,
            parameters: parameters.map((parameter) => this.resolve(parameter)),
            security: operation.security ?? document.security,
          },
        ];
      }),
    );
  }

  static read(): OpenApi {
    return new OpenApi(parse(readFileSync(openapiPath, 'utf8'), { maxAliasCount: -1 }) as Document);
  }

  /** @throws if nothing has the name */
  operation(operationId: string): DocumentedOperation {
    const found = this.operations.find((one) => one.operationId === operationId);
    if (found === undefined) throw new Error(`openapi.yaml has no operation ${operationId}`);
    return found;
  }

  resolve<T extends object>(value: T | Reference): T {
    if (!('$ref' in value)) return value;
    const keys = value.$ref.replace('#/', '').split('/');
    const target = keys.reduce<unknown>(
      (node, key) => (node as Readonly<Record<string, unknown>> | undefined)?.[key],
      this.document,
    );
    if (target === undefined) throw new Error(`openapi.yaml has no ${value.$ref}`);
    return this.resolve(target as T | Reference);
  }
}

/** `Payment` of `#/components/schemas/Payment`. */
export const nameOf = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The examples of a body, the first of them for code samples. */
export function examplesOf(
  media: MediaType,
): ReadonlyArray<{ readonly title: string; readonly value: unknown }> {
  const named = Object.entries(media.examples ?? {});
  if (named.length > 0) return named.map(([name, { summary, value }]) => ({ title: summary ?? name, value }));
  return media.example === undefined ? [] : [{ title: 'Example', value: media.example }];
}
