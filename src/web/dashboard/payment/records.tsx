import { PaymentDisputes } from '../disputes/disputes-of';
import { Notes } from '../notes/notes';
import { Attempts } from './attempts';
import { Deliveries } from './deliveries';
import { Differences } from './differences';
import { Postings } from './ledger/postings';
import type { UserPayment } from './queries';

/** What the page of a payment shows below its timeline. It loads after that, because most questions are answered there. */
export function Records({ data: { payment, attempts, deliveries } }: { readonly data: UserPayment }) {
  return (
    <>
      <Notes about={{ payment: payment.transaction_id }} />
      <Attempts attempts={attempts} currency={payment.currency} />
      {payment.dispute !== null && (
        <PaymentDisputes transactionId={payment.transaction_id} updatedAt={payment.updated_at} />
      )}
      <Differences payment={payment} />
      <Postings payment={payment} />
      <Deliveries deliveries={deliveries} paymentId={payment.transaction_id} />
    </>
  );
}
