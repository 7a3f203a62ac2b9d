import { getBoletoInfo } from '@brazilian-utils/brazilian-utils/get-boleto-info';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { isValidBoleto } from '@brazilian-utils/brazilian-utils/is-valid-boleto';
import type { Accepted } from '../../../src/gateways/gateway';
import { dateIn } from '../../../src/domain/time/timezone';
import { accepted, AMOUNT, expectFamily, found, type Charged, type ContractBench } from './bench';

async function inquire(bench: ContractBench, { request, charge }: Charged): Promise<Accepted> {
  return accepted(found(await bench.inquire(request.reference, charge.gatewayTransactionId)));
}

/** What waits to be paid: its codes, and what an inquiry tells of its payment. */
export function describePixAndBillet(bench: ContractBench): void {
  const methods = (['pix', 'billet'] as const).filter((method) => bench.can.methods.includes(method));
  if (methods.includes('pix')) {
    it('gives a pix a code that any bank app can read, with the amount and until when', async () => {
      const { charge } = await bench.charged({ pix: { expiresInSeconds: 600 } }, 'pix');
      const info = getPixPayloadInfo(charge.pix?.qrCode ?? '');
      if (info?.url === undefined) expect(info?.amount).toBe(AMOUNT / 100);
      const left = Date.parse(charge.pix?.expiresAt ?? '') - Date.now();
      expect(left).toBeGreaterThan(590_000);
      expect(left).toBeLessThanOrEqual(600_000);
      expect(charge).toMatchObject({ paidAmountCents: 0, billet: null, pix: { endToEndId: null } });
    });

    it('tells the end-to-end id of a paid pix', async () => {
      const paid = await inquire(bench, await bench.paid('pix'));
      expect(paid.pix?.endToEndId).toMatch(/^E\d{8}20\d{10}[A-Za-z0-9]{11}$/);
    });
  }

  if (methods.includes('billet')) {
    it('gives a billet a line and a barcode that say our amount and due date, and a page', async () => {
      const { request, charge } = await bench.charged({}, 'billet');
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

    it('refuses to give a billet back without a bank account', async () => {
      const { transactionId, charge } = await bench.paid('billet');
      const refund = bench.followUp(charge, `${transactionId}-1-refund`);
      await expectFamily(bench.driver.refund(bench.context(), refund), 'invalid_request');
      expect(await bench.gateway.netCapturedCents(transactionId)).toBe(AMOUNT);
    });
  }

  for (const method of methods) describePayment(bench, method);
}

function describePayment(bench: ContractBench, method: 'pix' | 'billet'): void {
  describe(`a ${method}`, () => {
    it('is approved once it is paid', async () => {
      expect(await inquire(bench, await bench.paid(method))).toMatchObject({
        kind: 'approved',
        amountCents: AMOUNT,
        paidAmountCents: AMOUNT,
      });
    });

    it('stays pending while it is paid in part, and tells how much came', async () => {
      const pending = await bench.charged({}, method);
      await bench.gateway.pay(pending.transactionId, AMOUNT - 1);
      expect(await inquire(bench, pending)).toMatchObject({
        kind: 'pending',
        amountCents: AMOUNT,
        paidAmountCents: AMOUNT - 1,
      });
    });

    it('is approved when too much is paid, and tells how much came', async () => {
      const pending = await bench.charged({}, method);
      await bench.gateway.pay(pending.transactionId, AMOUNT + 500);
      expect(await inquire(bench, pending)).toMatchObject({
        kind: 'approved',
        paidAmountCents: AMOUNT + 500,
      });
    });

    it('can no longer be canceled once it is paid', async () => {
      const { transactionId, charge } = await bench.paid(method);
      const cancel = bench.followUp(charge, `${transactionId}-1-cancel`);
      await expectFamily(bench.driver.cancel(bench.context(), cancel), 'invalid_request');
    });

    it('is approved when it is paid after it was canceled', async () => {
      const pending = await bench.charged({}, method);
      const cancel = bench.followUp(pending.charge, `${pending.transactionId}-1-cancel`);
      await bench.driver.cancel(bench.context(), cancel);
      expect(await inquire(bench, pending)).toMatchObject({ kind: 'canceled', paidAmountCents: 0 });
      await bench.gateway.pay(pending.transactionId);
      expect(await inquire(bench, pending)).toMatchObject({ kind: 'approved', paidAmountCents: AMOUNT });
    });
  });
}
