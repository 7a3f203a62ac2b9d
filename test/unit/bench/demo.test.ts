import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { gatewaysToConfigure } from '../../../src/dev/demo-company';
import { DRIVERS } from '../../../src/composition/drivers';
import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';
import { DEMO_KINDS, demoRequest, mixKinds } from '../../bench/demo/demo-payments';
import { gatewaysTable, unsettled, type DemoApiPayment } from '../../bench/demo/demo-report';
import { recommendedVendors } from '../../gateways/vendor-table/vendor-table';
import { readProjectFile } from '../project/project-files';

/** A demo that waits longer seems to hang. */
const SOON_MS = 60_000;

describe('the demo company', () => {
  const vendors = new Map([
    ['gateway_1', 'pagarme'],
    ['gateway_2', 'simulator'],
    ['gateway_6', 'pix-bacen'],
  ] as const);

  it('gets credentials at its gateways when it is new', () => {
    expect(gatewaysToConfigure(null, vendors).map(([slug]) => slug)).toEqual(['gateway_1', 'gateway_2']);
  });

  it('gets other credentials where the vendor has changed, and keeps all others', () => {
    const before = { gateway_1: 'simulator', gateway_2: 'simulator' } as const;
    expect(gatewaysToConfigure(before, vendors)).toEqual([['gateway_1', 'pagarme']]);
    expect(gatewaysToConfigure({ ...before, gateway_1: 'pagarme' }, vendors)).toEqual([]);
  });
});

describe('the demo', () => {
  it('makes 200 payments with evenly mixed kinds', () => {
    const mixed = mixKinds(DEMO_KINDS);
    expect(mixed).toHaveLength(200);
    const half = mixed.slice(0, 100).filter(({ kind }) => kind.title === 'visa');
    expect(half).toHaveLength(23);
  });

  it('tries each of the seven gateways first with cards and with pix', () => {
    const planned = mixKinds(DEMO_KINDS).filter(({ kind }) => kind.scripts.length === 0);
    for (const isPix of [true, false]) {
      const own = planned.filter(({ kind }) => (kind.cardNumber === null) === isPix);
      expect([...new Set(own.map(({ firstTry }) => firstTry))].toSorted()).toEqual([...GATEWAY_SLUGS]);
    }
  });

  it('sends what each recommended vendor insists on, so that routing passes over none of them', () => {
    const missing = mixKinds(DEMO_KINDS).flatMap(({ kind, firstTry }) => {
      const { body } = demoRequest({ kind, firstTry }, { number: 1, orderId: 'demo-1', amountCents: 100 });
      const given = [...Object.keys(body), ...Object.keys(body.payer).map((name) => `payer.${name}`)];
      const driver = DRIVERS[recommendedVendors().get(firstTry) ?? 'simulator'];
      const required = driver().capabilities(firstTry).requires?.[kind.cardNumber === null ? 'pix' : 'card'];
      return (required ?? []).filter((field) => !given.includes(field));
    });
    expect(missing).toEqual([]);
  });

  it('names customers by documents that vendors accept', () => {
    const [planned] = mixKinds(DEMO_KINDS);
    if (planned === undefined) throw new Error('no payments');
    const documents = Array.from({ length: 200 }, (_, number) => {
      const { body } = demoRequest(planned, { number, orderId: 'demo-1', amountCents: 100 });
      return body.customer.document;
    });
    expect(documents.filter((document) => !isValidCpf(document))).toEqual([]);
    expect(new Set(documents).size).toBe(200);
  });

  it('loses answers and has outages only where the recommended vendor soon shows what happened', () => {
    const scripts = DEMO_KINDS.flatMap((kind) => kind.scripts);
    const outages = scripts.filter(({ behavior }) => 'status' in behavior).map(({ gateway }) => gateway);
    for (const slug of outages) {
      const { idempotency, lookupSettlesMs, provesAbsence } =
        DRIVERS[recommendedVendors().get(slug) ?? 'simulator']().capabilities(slug);
      expect(['lookup', 'both']).toContain(idempotency);
      expect(provesAbsence).not.toBe(false);
      expect(lookupSettlesMs).toBeLessThanOrEqual(SOON_MS);
    }
    expect(outages).not.toEqual([]);
  });

  it('runs with every vendor by one command, which sets the vendors that the documentation recommends', () => {
    const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
    const settings = [...(scripts['start:vendors'] ?? '').matchAll(/GATEWAY_(\d)_DRIVER=(\S+)/g)];
    expect(new Map(settings.map(([, n, vendor]) => [`gateway_${n}`, vendor]))).toEqual(recommendedVendors());
    expect(scripts['start:vendors']?.endsWith(scripts['start'] ?? '-')).toBe(true);
  });

  it('reports the charges of each gateway with its vendor, and names a payment without a result', () => {
    const [kind] = DEMO_KINDS;
    if (kind === undefined) throw new Error('no kinds');
    const charge = { operation: 'charge', gateway: 'gateway_2', status: 'unknown' };
    const payment = { transaction_id: 'id-1', status: 'processing', transactions: [charge] };
    const payments = [{ kind, payment: payment as unknown as DemoApiPayment }];
    expect(gatewaysTable(payments, new Map([['gateway_2', 'asaas']]))).toMatch(
      /^gateway_2 +asaas +1 +0 +0 +1$/m,
    );
    expect(unsettled(payments, 'http://here')).toEqual([
      'id-1 (visa) is still processing: http://here/dashboard/payments/id-1 shows why',
    ]);
  });
});
