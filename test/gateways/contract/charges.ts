import type { PaymentMethod } from '../../../src/domain/payments/payment';
import {
  CUSTOMER_REASONS,
  MERCHANT_REASONS,
  type ChargeInitiation,
} from '../../../src/domain/shared/charge-initiation';
import { CARD_TOKEN_REFUSED } from '../../../src/gateways/errors';
import type { Outcome } from '../../../src/gateways/gateway';
import { PURCHASE } from '../../support/fixtures/purchase-data';
import { AMOUNT, BILLING_ADDRESS, expectFamily, requireFound, type ContractBench } from './bench';
import type { PurchaseField } from './gateway-under-test';

const METHODS: readonly PaymentMethod[] = ['card', 'pix', 'billet'];

/** Text by which a test recognizes what was sent, whatever the gateway calls it. */
const SENT_TEXT: Readonly<Record<PurchaseField, string>> = {
  'payer.ip': PURCHASE.payerIp ?? '',
  'payer.phone': '12345678',
  billing_address: BILLING_ADDRESS.zip_code,
  items: 'Camiseta azul P',
  return_url: PURCHASE.returnUrl ?? '',
  description: PURCHASE.description,
  origin: PURCHASE.origin,
};

function tokenOf(outcome: Outcome): string {
  const token = outcome.kind === 'declined' ? undefined : outcome.gatewayToken;
  if (token === undefined) throw new Error('the gateway returned no token');
  return token;
}

export function describeCharges(bench: ContractBench): void {
  describe('charges', () => {
    it('approves a card, or creates what its customer pays later, with an id, the amount and the issuer’s authorization code, if the gateway returns it', async () => {
      const { transactionId, charge } = await bench.createCharge();
      const { kind, capturedCents } = bench.created;
      expect(charge).toMatchObject({ kind, amountCents: AMOUNT, responseCode: '00' });
      expect(charge.gatewayTransactionId).not.toBe('');
      const { returnsIssuerData = true } = bench.gateway;
      if (returnsIssuerData) expect(charge.authorizationCode).toMatch(/^\w{6}$/);
      else expect(charge).toMatchObject({ authorizationCode: null, networkIds: null });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(capturedCents);
    });

    if (bench.capabilities.methods.includes('card')) describeCards(bench);

    for (const method of bench.capabilities.methods) {
      const required = bench.capabilities.requires?.[method] ?? [];
      it(`sends what it knows and needs of a purchase by ${method}: ${required.join(', ') || 'nothing'}`, async () => {
        const { transactionId, request } = bench.newPayment({}, method);
        await bench.driver.charge(bench.context(), request);
        const received = JSON.stringify(await bench.gateway.receivedPurchases?.(transactionId));
        for (const field of [...required, ...(bench.gateway.sentOfPurchases ?? [])])
          expect(received).toContain(SENT_TEXT[field]);
      });
    }

    it('says which feature an account lacks, in the gateway’s words', async () => {
      for (const feature of bench.gateway.accountFeatures ?? []) {
        const method = feature === 'pix' || feature === 'billet' ? feature : 'card';
        const { transactionId, request } = bench.newPayment({}, method);
        await bench.gateway.injectFault(transactionId, { lacks: feature });
        const error: unknown = await bench.driver.charge(bench.context(), request).catch((e: unknown) => e);
        expect(error).toMatchObject({
          family: 'unsupported',
          lacks: feature,
          message: expect.stringMatching(/\w/),
        });
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    for (const method of METHODS.filter((one) => !bench.capabilities.methods.includes(one))) {
      it(`rejects the unsupported method ${method} before a request is sent`, async () => {
        const { transactionId, request } = bench.newPayment({}, method);
        await expectFamily(bench.driver.charge(bench.context(), request), 'unsupported');
        expect(await bench.gateway.requestCount(transactionId)).toBe(0);
      });
    }
  });
}

function describeCards(bench: ContractBench): void {
  it('charges a saved card without a CVV by its number, or by its own token and says before a request is sent that it needs it', async () => {
    const saved = { ...bench.card(), cvv: null };
    const { transactionId, request } = bench.newPayment({ card: saved });
    if (bench.capabilities.savedCards !== 'token') {
      expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ kind: 'approved' });
      return;
    }
    await expectFamily(bench.driver.charge(bench.context(), request), 'unsupported');
    expect(await bench.gateway.requestCount(transactionId)).toBe(0);
    const first = bench.newPayment();
    const gatewayToken = tokenOf(await bench.driver.charge(bench.context(), first.request));
    const inquired = requireFound(await bench.inquire(first.request.reference));
    expect(tokenOf(inquired)).toBe(gatewayToken);
    const later = bench.newPayment({ card: { ...saved, gatewayToken } });
    expect(await bench.driver.charge(bench.context(), later.request)).toMatchObject({ kind: 'approved' });
    expect(await bench.gateway.netCapturedCents(later.transactionId)).toBe(AMOUNT);
  });

  it('says that it no longer knows a token, and charges nothing', async () => {
    if (bench.capabilities.savedCards !== 'token') return;
    const gatewayToken = tokenOf(await bench.driver.charge(bench.context(), bench.newPayment().request));
    for (const unknown of [`${gatewayToken}0`, `0${gatewayToken}`]) {
      const { transactionId, request } = bench.newPayment({
        card: { ...bench.card(), cvv: null, gatewayToken: unknown },
      });
      const refused = expect(bench.driver.charge(bench.context(), request)).rejects;
      await refused.toMatchObject({ family: 'unsupported', code: CARD_TOKEN_REFUSED });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    }
  });

  it('returns every decline as a value with its code', async () => {
    for (const [code, number] of Object.entries(bench.gateway.declinedCards)) {
      const { transactionId, request } = bench.newPayment({ card: bench.card(number) });
      const outcome = await bench.driver.charge(bench.context(), request);
      expect(outcome).toMatchObject({ kind: 'declined', code });
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
    }
  });

  it('returns a decline without a code with a class and the gateway’s word, and an inquiry returns the same if the gateway keeps it', async () => {
    for (const [declineClass, number] of Object.entries(bench.gateway.cardsDeclinedWithoutCode ?? {})) {
      const { request } = bench.newPayment({ card: bench.card(number) });
      const outcome = await bench.driver.charge(bench.context(), request);
      expect(outcome).toMatchObject({ kind: 'declined', code: null, declineClass });
      if (outcome.kind === 'declined') expect(outcome.message).toMatch(/\w/);
      if (!bench.answersInquiries) continue;
      const inquired = await bench.inquire(request.reference, outcome.gatewayTransactionId);
      if (bench.gateway.keepsDeclines === false) expect(inquired).toEqual({ kind: 'not_found' });
      else expect(requireFound(inquired)).toEqual(outcome);
    }
  });

  it('returns the advice code of a decline, in the response and in an inquiry', async () => {
    for (const [adviceCode, number] of Object.entries(bench.gateway.advisedCards)) {
      const { request } = bench.newPayment({ card: { ...bench.card(number), brand: 'mastercard' } });
      const outcome = await bench.driver.charge(bench.context(), request);
      expect(outcome).toMatchObject({ kind: 'declined', adviceCode });
      if (!bench.answersInquiries) continue;
      expect(
        requireFound(await bench.inquire(request.reference, outcome.gatewayTransactionId)),
      ).toMatchObject({
        kind: 'declined',
        adviceCode,
      });
    }
  });

  it('returns no advice code if the network sent none', async () => {
    const [number] = bench.declinedCard();
    const { request } = bench.newPayment({ card: bench.card(number) });
    expect(await bench.driver.charge(bench.context(), request)).toMatchObject({ adviceCode: null });
  });

  it('tells the initiator and the reason of every charge', async () => {
    const { charge } = await bench.createCharge();
    const { networkIds } = charge;
    const initiations: readonly ChargeInitiation[] = [
      ...CUSTOMER_REASONS.map((reason) => ({ initiator: 'customer', reason }) as const),
      ...MERCHANT_REASONS.map((reason) => ({ initiator: 'merchant', reason, networkIds }) as const),
    ];
    const received = new Set<string>();
    for (const initiation of initiations) {
      const { transactionId } = await bench.createCharge({ initiation });
      const [request, ...more] = await bench.gateway.receivedInitiations(transactionId);
      expect(more).toEqual([]);
      received.add(JSON.stringify(request));
    }
    expect(received.size).toBe(bench.gateway.distinctInitiations ?? initiations.length);
  });

  it.each(['visa', 'mastercard', 'elo'])(
    'returns the network ids of an approved charge of %s, and sends them with a merchant-initiated one, if it returns any',
    async (brand) => {
      if (bench.gateway.returnsIssuerData === false) return;
      const card = { ...bench.card(), brand };
      const { charge, request } = await bench.createCharge({ card });
      const { networkIds } = charge;
      expect(networkIds?.transactionId).toMatch(/./);
      if (bench.answersInquiries) {
        const inquired = await bench.inquire(request.reference, charge.gatewayTransactionId);
        expect(requireFound(inquired)).toMatchObject({ networkIds });
      }
      const initiation = { initiator: 'merchant', reason: 'recurring', networkIds } as const;
      const later = await bench.createCharge({ card: { ...card, cvv: null }, initiation });
      const [received] = await bench.gateway.receivedInitiations(later.transactionId);
      for (const id of Object.values(networkIds ?? {}))
        if (id !== null) expect(JSON.stringify(received)).toContain(id);
    },
  );
}
