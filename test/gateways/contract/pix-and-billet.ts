import { getBoletoInfo } from '@brazilian-utils/brazilian-utils/get-boleto-info';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { isValidBoleto } from '@brazilian-utils/brazilian-utils/is-valid-boleto';
import type { Accepted } from '../../../src/gateways/gateway';
import { dateIn } from '../../../src/domain/time/timezone';
import {
  requireAccepted,
  AMOUNT,
  expectFamily,
  requireFound,
  type CreatedCharge,
  type ContractBench,
} from './bench';
import { expectRefused } from './follow-ups';

/** Brasília has no summer time. */
function endOfDay(day: string): number {
  return Date.parse(`${day}T23:59:59.999-03:00`);
}

async function inquire(bench: ContractBench, { request, charge }: CreatedCharge): Promise<Accepted> {
  return requireAccepted(requireFound(await bench.learn(request.reference, charge.gatewayTransactionId)));
}

/** The codes of pix and billets, and the inquiry results of their payments. */
export function describePixAndBillet(bench: ContractBench): void {
  const methods = (['pix', 'billet'] as const).filter((method) =>
    bench.capabilities.methods.includes(method),
  );
  if (methods.includes('pix')) {
    it('creates a pix with a valid code, the amount and an expiry', async () => {
      const { pix } = bench.sentExpiry('pix', 600);
      const { charge } = await bench.createCharge({ pix }, 'pix');
      const info = getPixPayloadInfo(charge.pix?.qrCode ?? '');
      if (info?.url === undefined) expect(info?.amount).toBe(AMOUNT / 100);
      const expiresAt = Date.parse(charge.pix?.expiresAt ?? '');
      const seconds = pix?.expiresInSeconds ?? 0;
      const expected = pix?.lastDay ? endOfDay(pix.lastDay) : Date.now() + seconds * 1_000;
      expect(expected - expiresAt).toBeGreaterThanOrEqual(pix?.lastDay ? -1_000 : 0);
      expect(expected - expiresAt).toBeLessThan(10_000);
      expect(charge).toMatchObject({ paidAmountCents: 0, billet: null, pix: { endToEndId: null } });
    });

    it('returns the end-to-end id of a paid pix, if an inquiry tells it', async () => {
      if (!bench.answersInquiries) return;
      const paid = await inquire(bench, await bench.createPaid('pix'));
      expect(paid.pix?.endToEndId).toMatch(/^E\d{8}20\d{10}[A-Za-z0-9]{11}$/);
    });
  }

  if (methods.includes('billet')) {
    it('creates a billet with a page, and a line and a barcode with the amount and the due date', async () => {
      const { request, charge } = await bench.createCharge({}, 'billet');
      const { line = '', barcode = '', dueAt, url = '' } = charge.billet ?? {};
      expect(isValidBoleto(line)).toBe(true);
      const info = getBoletoInfo(line);
      expect(info?.amount).toBe(AMOUNT);
      expect(info?.expirationDate && dateIn('system', info.expirationDate)).toBe(request.billet?.dueAt);
      expect(dueAt).toBe(request.billet?.dueAt);
      expect(barcode).toMatch(/^\d{44}$/);
      expect((await fetch(url)).status).toBe(200);
      expect(charge).toMatchObject({ paidAmountCents: 0, pix: null });
    });

    it('rejects the refund of a boleto without a bank account, if its driver refunds boletos', async () => {
      if (!bench.capabilities.refundMethods.includes('billet')) return;
      const { transactionId, charge } = await bench.createPaid('billet');
      const refund = bench.followUp(charge, `${transactionId}-1-refund`);
      await expectRefused(bench, 'refund', refund);
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });
  }

  for (const method of methods) describePayment(bench, method);
}

function describePayment(bench: ContractBench, method: 'pix' | 'billet'): void {
  describe(`a ${method}`, () => {
    it('is approved after it is paid', async () => {
      expect(await inquire(bench, await bench.createPaid(method))).toMatchObject({
        kind: 'approved',
        amountCents: AMOUNT,
        paidAmountCents: AMOUNT,
      });
    });

    it('stays pending after a partial payment, with the paid amount', async () => {
      if (!bench.gateway.takesAnyPayment) return;
      const pending = await bench.createCharge({}, method);
      await bench.gateway.pay(pending.transactionId, AMOUNT - 1);
      expect(await inquire(bench, pending)).toMatchObject({
        kind: 'pending',
        amountCents: AMOUNT,
        paidAmountCents: AMOUNT - 1,
      });
    });

    it('is approved after an overpayment, with the paid amount', async () => {
      if (!bench.gateway.takesAnyPayment) return;
      const pending = await bench.createCharge({}, method);
      await bench.gateway.pay(pending.transactionId, AMOUNT + 500);
      expect(await inquire(bench, pending)).toMatchObject({
        kind: 'approved',
        paidAmountCents: AMOUNT + 500,
      });
    });

    it('cannot be canceled after it is paid', async () => {
      const { transactionId, charge } = await bench.createPaid(method);
      const cancel = bench.followUp(charge, `${transactionId}-1-cancel`);
      await expectRefused(bench, 'cancel', cancel);
    });

    if (bench.capabilities.uncancelable?.includes(method) === true) {
      it('is not canceled before it is paid, and stays payable', async () => {
        const pending = await bench.createCharge({}, method);
        const cancel = bench.followUp(pending.charge, `${pending.transactionId}-1-cancel`);
        if (bench.answersInquiries)
          await expectFamily(bench.driver.cancel(bench.context(), cancel), 'unsupported');
        else await expectRefused(bench, 'cancel', cancel);
        await bench.gateway.pay(pending.transactionId);
        expect(await inquire(bench, pending)).toMatchObject({ kind: 'approved' });
      });
      return;
    }

    it('is canceled by a cancel, and approved if it is paid after all', async () => {
      const pending = await bench.createCharge({}, method);
      const cancel = bench.followUp(pending.charge, `${pending.transactionId}-1-cancel`);
      await bench.driver.cancel(bench.context(), cancel);
      expect(await inquire(bench, pending)).toMatchObject({ kind: 'canceled', paidAmountCents: 0 });
      if (!bench.gateway.takesAnyPayment) return;
      await bench.gateway.pay(pending.transactionId);
      expect(await inquire(bench, pending)).toMatchObject({ kind: 'approved', paidAmountCents: AMOUNT });
    });
  });
}
