import { retryOfReceipt, type DueReceipt } from '../../domain/checkout/receipt';
import { MailNotSent, type Mailer } from '../../domain/companies/mail';
import type { ReceiptRepository } from '../../persistence/checkout/receipt-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';
import { receiptMail } from '../mails/receipt-mail';

export interface SendReceiptsDeps {
  readonly receipts: Pick<ReceiptRepository, 'claimDue' | 'markSent' | 'postpone'>;
  readonly payments: { listByIds(ids: readonly number[]): Promise<PaymentRecord[]> };
  readonly mailer: Mailer;
  readonly now: () => Date;
}

/**
 * Sends buyers the receipts of what they paid. A receipt counts as tried, in a commit of its own, before its mail is handed over, so
 * that a crash or a lost answer of the mail server never sends it twice. It is sent again only if the server certainly did not take it.
 */
export class SendReceipts {
  constructor(private readonly deps: SendReceiptsDeps) {}

  /** At most `limit` receipts; returns how many were due. Throws the first failure once all were tried. */
  async execute(limit: number): Promise<number> {
    const { receipts, payments, now } = this.deps;
    const due = await receipts.claimDue(limit, now());
    if (due.length === 0) return 0;
    const paid = new Map(
      (await payments.listByIds(due.map((one) => one.paymentId))).map((one) => [one.id, one]),
    );
    const results = await Promise.allSettled(
      due.map((receipt) => this.send(receipt, paid.get(receipt.paymentId) ?? null)),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return due.length;
  }

  private async send(receipt: DueReceipt, payment: PaymentRecord | null): Promise<void> {
    const { receipts, mailer, now } = this.deps;
    const email = payment?.customer.email ?? null;
    // Erased meanwhile.
    if (payment === null || email === null) return;
    try {
      await mailer.send(receiptMail(email, receipt, payment));
    } catch (error) {
      const at = error instanceof MailNotSent ? retryOfReceipt(receipt, now()) : null;
      if (at !== null) await receipts.postpone(receipt, at);
      throw error;
    }
    await receipts.markSent(receipt, now());
  }
}
