import { randomUUID } from 'node:crypto';
import { AsaasDriver } from '../../../src/gateways/asaas/driver';
import type { Accepted, ChargeRequest, GatewayContext, Outcome } from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import { asaasDocument } from '../../support/vendors/asaas-document';
import { describeWithOracle } from '../../support/vendors/oracles';
import { ValidatingProxy } from '../../support/vendors/validating-proxy';
import {
  asaasStub,
  billetRequest,
  chargeRequest,
  followUp,
  pixRequest,
} from '../../unit/gateways/asaas/asaas-stub';
import { VendorSimulator } from '../vendors/vendor-simulator';

/* The driver, Prism with the models of Asaas' SDK, and the fake of Asaas: each request and each answer is checked. */

const SLUG = 'gateway_1';
const driver = new AsaasDriver();
const http = new GatewayHttp();
let fake: VendorSimulator;
beforeAll(async () => {
  fake = await VendorSimulator.start({ slug: SLUG, vendor: 'asaas', webhookSecret: 'token of the shapes' });
});
afterAll(async () => {
  await http.close();
  await fake.stop();
});

const accepted = (outcome: Outcome): Accepted => {
  if (outcome.kind === 'declined') throw new Error(`declined: ${outcome.message}`);
  return outcome;
};
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

describeWithOracle('asaas/asaas-sdk-models.schema.json', 'the models of Asaas’ SDK, in Prism', (content) => {
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    const upstream = fake.urlOf('').replace(/\/$/, '');
    proxy = await ValidatingProxy.start({ document: asaasDocument(content), upstream });
  });
  afterAll(() => proxy.stop());

  const context = (): GatewayContext => ({
    ...asaasStub().ctx,
    secretKey: '$aact_hmlg_shapes',
    endpoints: { api: proxy.url },
    sendBefore: Date.now() + 10_000,
    http: http.call({ timeoutMs: 10_000, clientCertificate: null }),
  });
  const of = (request: ChargeRequest) => ({ ...request, reference: `${randomUUID()}-1` });

  it('allow every request of the driver about payments, and the answers that it reads', async () => {
    await driver.verifyCredentials(context());
    const { card, ...charge } = chargeRequest();
    if (card === null) throw new Error('a card is needed');
    const first = accepted(await driver.charge(context(), of({ ...charge, card })));
    const { gatewayTransactionId: id, gatewayToken = '' } = first;
    const onFile = of({ ...charge, card: { ...card, cvv: null, gatewayToken } });
    const again = accepted(await driver.charge(context(), onFile));
    const reference = `${onFile.reference}-refund`;
    const part = { reference, amountCents: 1_000, gatewayTransactionId: again.gatewayTransactionId };
    await driver.refund(context(), followUp(part));
    const subject = { reference, gatewayTransactionId: again.gatewayTransactionId, sentAt: null };
    expect(await driver.inquire(context(), subject)).toMatchObject({ kind: 'found' });
    expect(await driver.inquire(context(), { ...subject, reference: onFile.reference })).toMatchObject({
      kind: 'found',
    });
    await driver.charge(context(), of({ ...charge, card, installments: 3 }));
    for (const kind of ['capture', 'cancel'] as const) {
      const request = of({ ...charge, card });
      const held = accepted(await driver.authorize(context(), request));
      const operation = { reference: `${request.reference}-${kind}`, amountCents: request.amountCents };
      await driver[kind](
        context(),
        followUp({ ...operation, gatewayTransactionId: held.gatewayTransactionId }),
      );
    }
    const lastDay = dateIn(BRASILIA, inDays(2));
    const pix = { expiresInSeconds: 3_600, expiresAt: inDays(2).toISOString(), lastDay };
    const billet = { dueAt: lastDay, expiresAt: inDays(5).toISOString(), instructions: 'Obrigado' };
    for (const request of [pixRequest({ pix }), billetRequest({ billet })]) {
      const pending = accepted(await driver.charge(context(), of(request)));
      await driver.cancel(context(), followUp({ gatewayTransactionId: pending.gatewayTransactionId }));
    }
    const unknown = of({ ...charge, card: { ...card, cvv: null, gatewayToken: `${gatewayToken}0` } });
    await expect(driver.charge(context(), unknown)).rejects.toMatchObject({ family: 'unsupported' });
    expect(id).not.toBe(again.gatewayTransactionId);
    expect(await proxy.violations()).toEqual([]);
  });

  it('do not allow a card without its security code, so that the check has an effect', async () => {
    const creditCard = {
      holderName: 'Ana',
      number: '4111111111111111',
      expiryMonth: '12',
      expiryYear: '2035',
    };
    const body = {
      customer: 'cus_1',
      billingType: 'CREDIT_CARD',
      value: 1,
      dueDate: '2026-01-01',
      creditCard,
    };
    const headers = { 'content-type': 'application/json', access_token: '$aact_hmlg_shapes' };
    await fetch(`${proxy.url}/v3/payments`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await proxy.violations()).length).toBeGreaterThan(0);
  });
});
