import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { differencesQuery } from '../reconciliation/queries';
import type { UserPayment } from './queries';

/** Few payments have any. */
const PaymentDifferences = lazy(async () => ({
  default: (await import('../reconciliation/payment-differences')).PaymentDifferences,
}));

/** How statements of gateways differ from the payment; nothing if they do not. */
export function Differences({ payment }: Pick<UserPayment, 'payment'>) {
  const { transaction_id: id, updated_at: updatedAt } = payment;
  const { data } = useQuery(differencesQuery({ transaction_id: id }, updatedAt ?? ''));
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <PaymentDifferences differences={data.data} />
    </Suspense>
  );
}
