import { loadSandboxConfig } from '../../../src/config';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/' };
const tracingOf = (env: Record<string, string>) => loadSandboxConfig(env).tracing;

describe('the settings of traces', () => {
  it.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }])('trace nothing without a receiver (%j)', (env) => {
    expect(tracingOf({ ...env, OTEL_SERVICE_NAME: 'payments' })).toBeNull();
  });

  it('send every trace to the receiver’s path for traces, with its headers', () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant = 7' };
    expect(tracingOf({ ...ENDPOINT, ...headers, OTEL_TRACES_SAMPLER: '' })).toEqual({
      tracesUrl: 'https://collector.example.com/otlp/v1/traces',
      headers: { authorization: 'Bearer a=b', 'x-tenant': '7' },
      serviceName: null,
      sampledShare: 1,
    });
  });

  it.each([
    ['always_off', '1', 0],
    ['always_on', '0.5', 1],
    ['traceidratio', '0.25', 0.25],
    ['parentbased_traceidratio', '0', 0],
  ])('record as %s with %s says', (sampler, argument, share) => {
    const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument };
    expect(tracingOf(env)?.sampledShare).toBe(share);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'key-of-the-receiver' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=key-of-the-receiver%' },
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
  ])('are refused if they are wrong, and the error repeats no header: %j', (wrong) => {
    const [name = ''] = Object.keys(wrong);
    const load = () => tracingOf({ ...ENDPOINT, ...wrong });
    expect(load).toThrow(name);
    expect(load).not.toThrow(/key-of-the-receiver/);
  });
});
