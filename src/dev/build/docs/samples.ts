import { examplesOf, type DocumentedOperation, type OpenApi, type Parameter } from './openapi';

/** The API's address in samples; the server puts its own there (`src/http/server/docs.ts`). */
export const BASE_URL = '{{base-url}}';

export const LANGUAGES = ['curl', 'node', 'python', 'php'] as const;
export type SampleLanguage = (typeof LANGUAGES)[number];

/** A request with the values of the contract's examples. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without a body. */
  readonly body: unknown;
}

/** The headers that authenticate, by the name of the security scheme; readers put their own values there. */
const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ClientId: { 'X-Client-ID': 'YOUR_CLIENT_ID' },
  ApiKey: { 'X-API-Key': 'YOUR_API_KEY' },
  AccessToken: { Authorization: 'Bearer YOUR_ACCESS_TOKEN' },
  CheckoutToken: { 'X-Checkout-Token': 'YOUR_CHECKOUT_TOKEN' },
};

const IDEMPOTENCY_KEY = 'Idempotency-Key';

export function sampleRequest(api: OpenApi, operation: DocumentedOperation): SampleRequest {
  const { method, path, operationId, parameters, requestBody, security } = operation;
  const value = (parameter: Parameter): string => exampleOf(api, parameter);
  const filled = parameters
    .filter((one) => one.in === 'path')
    .reduce((url, one) => url.replace(`{${one.name}}`, encodeURIComponent(value(one))), path);
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(value(one))}`);
  const own = parameters.filter(({ in: place, required }) => place === 'header' && required === true);
  const isKeyed = method === 'POST' && parameters.some(({ name }) => name === IDEMPOTENCY_KEY);
  const [media] = Object.values(requestBody?.content ?? {});
  const body = media && (examplesOf(media)[0]?.value ?? {});
  return {
    method,
    url: `${BASE_URL}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: {
      ...credentialsOf(security),
      ...Object.fromEntries(own.map((one) => [one.name, value(one)])),
      // A key of another operation would be refused.
      ...(isKeyed && { [IDEMPOTENCY_KEY]: `${operationId}-1001` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  };
}

/** The first alternative that a program uses: the session cookie is for browsers. */
function credentialsOf(security: DocumentedOperation['security']): Readonly<Record<string, string>> {
  const alternative = security.find((schemes) => !('SessionCookie' in schemes)) ?? {};
  return Object.assign({}, ...Object.keys(alternative).map((scheme) => CREDENTIALS[scheme] ?? {})) as Record<
    string,
    string
  >;
}

function exampleOf(api: OpenApi, { name, example, schema }: Parameter): string {
  const { enum: values, default: fallback } = schema === undefined ? {} : api.resolve(schema);
  const value = example ?? fallback ?? values?.[0];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : `YOUR_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The request as a program in each language. The generators on npm that are still maintained need a newer Node than this project. */
export function samplesOf(request: SampleRequest): Readonly<Record<SampleLanguage, string>> {
  return { curl: curl(request), node: node(request), python: python(request), php: php(request) };
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl ${method === 'GET' ? '' : `--request ${method} `}${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quote(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

function node({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${indent(JSON.stringify(headers, null, 2))},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2))}),`]),
  ];
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options,
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

function python({ method, url, headers, body }: SampleRequest): string {
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    `    headers=${literal(headers, PYTHON, '    ')},`,
    ...(body === undefined ? [] : [`    json=${literal(body, PYTHON, '    ')},`]),
    '    timeout=60,',
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

function php({ method, url, headers, body }: SampleRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    '<?php',
    `$request = curl_init(${PHP.text(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => ${PHP.text(method)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_HTTPHEADER => ${literal(lines, PHP, '    ')},`,
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP, '    ')}),`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** How a language writes JSON values. */
interface Literals {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly text: (value: string) => string;
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, between: string, close: string];
  readonly emptyMap: string;
}

const PYTHON: Literals = {
  null: 'None',
  true: 'True',
  false: 'False',
  text: JSON.stringify,
  list: ['[', ']'],
  map: ['{', ': ', '}'],
  emptyMap: '{}',
};

const PHP: Literals = {
  null: 'null',
  true: 'true',
  false: 'false',
  text: (value) => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`,
  list: ['[', ']'],
  map: ['[', ' => ', ']'],
  emptyMap: 'new stdClass()',
};

function literal(value: unknown, language: Literals, margin: string): string {
  if (value === null) return language.null;
  if (typeof value === 'boolean') return language[`${value}`];
  if (typeof value === 'string') return language.text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${margin}    `;
  const lines = (items: readonly string[], open: string, close: string): string =>
    `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`;
  if (Array.isArray(value)) {
    const [open, close] = language.list;
    if (value.length === 0) return open + close;
    return lines(
      value.map((item) => literal(item, language, inner)),
      open,
      close,
    );
  }
  const [open, between, close] = language.map;
  const entries = Object.entries(value);
  if (entries.length === 0) return language.emptyMap;
  return lines(
    entries.map(([key, item]) => `${language.text(key)}${between}${literal(item, language, inner)}`),
    open,
    close,
  );
}
