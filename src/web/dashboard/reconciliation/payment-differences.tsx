import { Panel } from '../../ui/layout/panel';
import { DifferenceTable } from './difference-table';
import { messages } from './messages';
import type { Difference } from './queries';

/** The differences of a payment that has some. */
export function PaymentDifferences({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <Panel title={messages.ofPayment} flush>
      <DifferenceTable differences={differences} outdated={false} compact />
    </Panel>
  );
}
