import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parse } from 'protobufjs';

/** What OTLP says of traces, as far as the tests read it. */
const OTLP = `
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    fixed64 start_time_unix_nano = 7;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    Status status = 15;
  }
  message Event { string name = 2; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message Status { string message = 2; int32 code = 3; }
`;
const Request = parse(OTLP, { keepCase: true }).root.lookupType('Request');

interface WireRequest {
  readonly resource_spans?: ReadonlyArray<{
    readonly resource: { readonly attributes?: readonly WireAttribute[] };
    readonly scope_spans?: ReadonlyArray<{ readonly spans?: readonly WireSpan[] }>;
  }>;
}
interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}
interface WireSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly name: string;
  readonly start_time_unix_nano: string;
  readonly attributes?: readonly WireAttribute[];
  readonly events?: readonly unknown[];
  readonly status?: { readonly message?: string; readonly code?: number };
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly id: string;
  /** Null for the first of a trace. */
  readonly parentId: string | null;
  readonly service: string;
  readonly name: string;
  readonly startedAt: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly events: number;
  readonly status: { readonly message?: string; readonly code?: number };
}

/** An OTLP receiver over HTTP, which keeps all spans that it gets. */
export interface SpanReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything that was received, as sent. */
  readonly bytes: () => string;
  readonly headers: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

export async function startSpanReceiver(): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) {
        bodies.push(body);
        headers.push(request.headers);
        spans.push(...decode(body));
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    bytes: () => Buffer.concat(bodies).toString('latin1'),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function decode(body: Buffer): ReceivedSpan[] {
  const options = { bytes: String, longs: String };
  const request = Request.toObject(Request.decode(body), options) as WireRequest;
  return (request.resource_spans ?? []).flatMap(({ resource, scope_spans: scopes = [] }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopes.flatMap(({ spans = [] }) => spans.map((span) => receivedSpan(span, service)));
  });
}

function receivedSpan(span: WireSpan, service: string): ReceivedSpan {
  const parentId = hex(span.parent_span_id ?? '');
  return {
    traceId: hex(span.trace_id),
    id: hex(span.span_id),
    parentId: parentId === '' ? null : parentId,
    service,
    name: span.name,
    startedAt: BigInt(span.start_time_unix_nano),
    attributes: valuesOf(span.attributes),
    events: span.events?.length ?? 0,
    status: span.status ?? {},
  };
}

function valuesOf(attributes: readonly WireAttribute[] = []): ReceivedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

/** The spans of one trace as an indented tree, siblings in the order of their start. */
export function treeOf(spans: readonly ReceivedSpan[], traceId: string): string[] {
  const trace = spans.filter((span) => span.traceId === traceId);
  const ids = new Set(trace.map(({ id }) => id));
  const below = (parentId: string | null, indent: string): string[] =>
    trace
      .filter((span) => (parentId === null ? !ids.has(span.parentId ?? '') : span.parentId === parentId))
      .sort((one, other) => Number(one.startedAt - other.startedAt))
      .flatMap((span) => [indent + span.name, ...below(span.id, `${indent}  `)]);
  return below(null, '');
}
