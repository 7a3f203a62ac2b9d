import { randomUUID } from 'node:crypto';
import type { Recipient } from '../../../src/gateways/gateway';
import type { CallRecipient } from '../../../src/gateways/recipient';
import { AMOUNT, expectFamily, type ContractBench } from './bench';
import { resultOf } from './follow-ups';

/** Recipients of a gateway that supports sub-accounts. */
export function describeRecipients(bench: ContractBench): void {
  const find = (reference: string): Promise<Recipient | null> => bench.findRecipient(reference);

  describe('recipients', () => {
    it.each(['active', 'pending', 'refused'] as const)('can be created as %s and found', async (status) => {
      const reference = randomUUID();
      expect(await find(reference)).toBeNull();
      const made = await bench.createRecipient(reference, bench.gateway.documents[status]);
      expect(made.status).toBe(status);
      // A secret is given once.
      const { secret: _, ...shown } = made;
      expect(await find(reference)).toEqual(shown);
    });

    it.each(['active', 'refused'] as const)(
      'are found as %s after the gateway’s decision',
      async (status) => {
        const reference = randomUUID();
        const made = await bench.createRecipient(reference, bench.gateway.documents.pending);
        await bench.gateway.decideRecipient(made.recipientId, status);
        expect(await find(reference)).toMatchObject({ recipientId: made.recipientId, status });
      },
    );

    it('that need their owner’s consent are shown with a link to it, and are active afterwards', async () => {
      if (bench.gateway.leaveToOwner === undefined) return;
      const reference = randomUUID();
      await bench.gateway.leaveToOwner(reference);
      const made = await bench.createRecipient(reference, bench.gateway.documents.active);
      expect(made).toMatchObject({ status: 'needs_consent', consentUrl: expect.stringMatching(/^https?:/) });
      const { consentLinksChange = false } = bench.gateway;
      const found = await find(reference);
      expect(found).toMatchObject({ recipientId: made.recipientId, status: 'needs_consent' });
      expect([made.consentUrl, found?.consentUrl?.startsWith('http')]).toEqual([
        consentLinksChange ? expect.not.stringMatching(`^${found?.consentUrl}$`) : found?.consentUrl,
        true,
      ]);
      await bench.gateway.decideRecipient(made.recipientId, 'active');
      const { consentUrl: none, ...active } = (await find(reference)) ?? {};
      expect([none, active]).toEqual([undefined, expect.objectContaining({ status: 'active' })]);
    });

    it('are found after a lost response', async () => {
      const reference = randomUUID();
      await bench.gateway.injectFault(reference, { drop: 'after' }, 'recipient');
      const ctx = bench.context();
      await expectFamily(bench.createRecipient(reference, bench.gateway.documents.active, ctx), 'ambiguous');
      const made = await find(reference);
      expect(made?.status).toBe(bench.gateway.recipientWithoutSecret ?? 'active');
      if (!bench.replaysKeys) return;
      const replayed = await bench.createRecipient(reference, bench.gateway.documents.active, ctx);
      expect(replayed).toMatchObject(made ?? {});
    });

    it('fail with the same error families as other calls', async () => {
      const reference = randomUUID();
      const { active } = bench.gateway.documents;
      await bench.gateway.injectFault(reference, { status: 422 }, 'recipient');
      await expectFamily(bench.createRecipient(reference, active), 'invalid_request');
      await bench.gateway.injectFault(reference, { status: 500 }, 'inquiry');
      await expectFamily(find(reference), 'ambiguous');
      const { badSecret, badCredentials } = bench.gateway;
      const credentials = badCredentials === undefined ? {} : { credentials: badCredentials };
      const unknown = bench.context({ secretKey: badSecret, ...credentials });
      await expectFamily(bench.createRecipient(reference, active, unknown), 'bad_credentials');
      const unreachable = bench.contextAt('http://127.0.0.1:1');
      await expectFamily(bench.createRecipient(reference, active, unreachable), 'not_sent');
    });
  });
}

/** Recipients of a gateway whose owners authorize the platform (OAuth 2.0). */
export function describeAuthorizedRecipients(bench: ContractBench): void {
  const { authorization } = bench;

  describe('recipients that authorize the platform', () => {
    it('consent at a link, and their code gives a secret once, and only with the verifier of that link', async () => {
      const answer = await bench.consent();
      const grant = await authorization.redeem(bench.context(), answer);
      expect([grant.recipientId, grant.secret]).not.toContain('');
      expect(grant.expiresInMs).toBeGreaterThan(0);
      await expectFamily(authorization.redeem(bench.context(), answer), 'invalid_request');
      const { codeVerifier } = answer;
      const stolen = { ...(await bench.consent()), codeVerifier };
      await expectFamily(authorization.redeem(bench.context(), stolen), 'invalid_request');
    });

    it('keep their id and their charges when their secret is renewed, which ends the old one', async () => {
      const old = await authorization.redeem(bench.context(), await bench.consent());
      const split = { recipientId: old.recipientId, liable: true, chargeProcessingFee: true };
      const { request } = bench.newPayment({ splits: [{ ...split, amountCents: AMOUNT }] });
      await bench.driver.charge(bench.context({ recipient: old }), request);
      const renewed = await authorization.renew(bench.context(), old.secret);
      expect(renewed).toMatchObject({ recipientId: old.recipientId });
      await expectFamily(authorization.renew(bench.context(), old.secret), 'invalid_request');
      const subject = { reference: request.reference, gatewayTransactionId: null, sentAt: new Date() };
      const inquire = (recipient: CallRecipient | null) =>
        bench.driver.inquire(bench.context(recipient === null ? {} : { recipient }), subject);
      expect(await inquire(renewed)).toMatchObject({ kind: 'found', outcome: { amountCents: AMOUNT } });
      expect(await inquire(null)).toEqual({ kind: 'not_found' });
    });

    it('fail with the same error families as other calls', async () => {
      await bench.gateway.injectFault('', { drop: 'after' }, 'recipient');
      const answer = await bench.consent();
      await expectFamily(authorization.redeem(bench.context(), answer), 'ambiguous');
      await expectFamily(authorization.redeem(bench.context(), answer), 'invalid_request');
      const unreachable = bench.contextAt('http://127.0.0.1:1');
      await expectFamily(authorization.redeem(unreachable, answer), 'not_sent');
      const strange = bench.context({ recipient: { recipientId: '1', secret: 'not of this gateway' } });
      const { request } = bench.newPayment();
      await expectFamily(bench.driver.charge(strange, request), 'bad_credentials');
    });
  });
}

/** A split of a gateway that pays one recipient the whole amount. */
export function describeWholeSplits(bench: ContractBench): void {
  describe('a split of the whole amount', () => {
    const { driver } = bench;
    const flags = { liable: false, chargeProcessingFee: false };
    const whole = async () => ({ ...(await bench.splitTo(AMOUNT)), ...flags });

    it('is charged, refunded in part, and captured in part', async () => {
      const split = await whole();
      const part = [{ ...split, amountCents: 1_000 }];
      const sale = await bench.createCharge({ splits: [split] });
      const refund = { amountCents: 1_000, splits: part };
      expect(
        await driver.refund(
          bench.contextOf(part),
          bench.followUp(sale.charge, `${sale.transactionId}-1-refund-1`, refund),
        ),
      ).toMatchObject({ kind: 'refunded', amountCents: 1_000 });
      expect(await bench.gateway.netCapturedCents(sale.transactionId)).toBe(AMOUNT - 1_000);
      const authorized = await bench.createAuthorization({ splits: [split] });
      const capture = bench.followUp(authorized.charge, `${authorized.transactionId}-1-capture`, refund);
      expect(await driver.capture(bench.contextOf(part), capture)).toMatchObject({ amountCents: 1_000 });
    });

    it('is rejected if it is a part of the amount, one of several or of an unknown recipient', async () => {
      const split = await whole();
      const half = { ...split, amountCents: AMOUNT / 2 };
      for (const [splits, family] of [
        [[half], 'invalid_request'],
        [[half, half], 'unsupported'],
        ...(bench.capabilities.splitCosts === 'platform'
          ? [[[{ ...split, liable: true }], 'unsupported'] as const]
          : []),
        [[{ ...split, recipientId: randomUUID() }], 'invalid_request'],
      ] as const) {
        const { transactionId, request } = bench.newPayment({ splits });
        await expectFamily(driver.charge(bench.contextOf(splits), request), family);
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    it('is not captured for another recipient, or for one that the authorization did not name', async () => {
      for (const splits of [[await whole()], []]) {
        const { transactionId, charge } = await bench.createAuthorization({ splits });
        const others = [await whole()];
        const other = bench.followUp(charge, `${transactionId}-1-capture`, { splits: others });
        await expectFamily(driver.capture(bench.contextOf(others), other), 'invalid_request');
        await expectFamily(driver.capture(bench.contextOf(splits), other), 'invalid_request');
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });
  });
}

/** Splits of charges, captures and refunds, in exact cents. */
export function describeSplits(bench: ContractBench): void {
  describe('splits', () => {
    const { driver } = bench;

    it('are rejected if they do not sum to the amount or name an unknown recipient', async () => {
      const split = await bench.splitTo(AMOUNT);
      await bench.createCharge({ splits: [split] });
      for (const invalid of [
        { ...split, amountCents: AMOUNT - 1 },
        { ...split, recipientId: randomUUID() },
      ]) {
        const { transactionId, request } = bench.newPayment({ splits: [invalid] });
        await expectFamily(driver.charge(bench.context(), request), 'invalid_request');
        expect(await bench.gateway.netCapturedCents(transactionId)).toBe(0);
      }
    });

    it('of a partial refund must sum to the refunded amount', async () => {
      const [first, second] = [await bench.splitTo(AMOUNT - 990), await bench.splitTo(990)];
      const { transactionId, charge } = await bench.createCharge({ splits: [first, second] });
      const refund = (nth: number, amountCents: number, amounts: readonly [number, number]) =>
        bench.followUp(charge, `${transactionId}-1-refund-${nth}`, {
          amountCents,
          splits: [
            { ...first, amountCents: amounts[0] },
            { ...second, amountCents: amounts[1] },
          ],
        });
      const refunded = await resultOf(bench, 'refund', refund(2, 1_000, [924, 76]));
      expect(refunded).toMatchObject({ kind: 'refunded', amountCents: 1_000 });
      const wrong = driver.refund(bench.context(), refund(3, 1_000, [924, 75]));
      await expectFamily(wrong, 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT - 1_000);
    });

    if (bench.capabilities.authorizeOnly) {
      it('of a partial capture must sum to the captured amount', async () => {
        const split = await bench.splitTo(AMOUNT);
        const capture = async (amountCents: number, splitCents: number) => {
          const { transactionId, charge } = await bench.createAuthorization({ splits: [split] });
          const splits = [{ ...split, amountCents: splitCents }];
          return bench.followUp(charge, `${transactionId}-1-capture`, { amountCents, splits });
        };
        const captured = await resultOf(bench, 'capture', await capture(5_000, 5_000));
        expect(captured).toMatchObject({ kind: 'approved', amountCents: 5_000 });
        const wrong = driver.capture(bench.context(), await capture(5_000, 4_999));
        await expectFamily(wrong, 'invalid_request');
      });
    }
  });
}
