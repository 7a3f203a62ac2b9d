import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { DeliveryList } from '../webhooks/delivery-list';
import { messages } from './messages';
import type { UserPayment } from './queries';

interface DeliveriesProps {
  readonly deliveries: UserPayment['deliveries'];
  readonly paymentId: string;
}

export function Deliveries({ deliveries, paymentId }: DeliveriesProps) {
  return (
    <Panel title={messages.deliveries} flush={deliveries.length > 0}>
      {deliveries.length === 0 ? (
        <EmptyMessage title={messages.noDeliveries} />
      ) : (
        <DeliveryList
          deliveries={deliveries.map(({ endpoint: { id, url }, ...delivery }) => ({
            ...delivery,
            endpointId: id,
            about: url,
          }))}
          reloads={['payments', 'one', paymentId]}
        />
      )}
    </Panel>
  );
}
