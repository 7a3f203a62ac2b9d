import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import Network from 'lucide-react/icons/network';
import { errorMessage } from '../../ui/forms/error-messages';
import { moveItem } from '../../ui/forms/reorder';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { QueryContent, EmptyMessage } from '../../ui/layout/page-states';
import { GatewayCard } from './gateway-card';
import classes from './gateways.module.css';
import { messages } from './messages';
import { OtherGateways } from './other-gateways';
import { gatewaysQuery, useChangeGateways, type Gateway } from './queries';

export function Gateways() {
  const gateways = useQuery(gatewaysQuery);
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <QueryContent query={gateways}>{(data) => <GatewaysContent gateways={data} />}</QueryContent>
    </Page>
  );
}

function GatewaysContent({ gateways }: { readonly gateways: readonly Gateway[] }) {
  const own = gateways.filter(({ configured, platform }) => configured && !platform);
  const ordered = own.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  const others = gateways.filter((gateway) => !own.includes(gateway));
  const reordering = useReorder(ordered);
  return (
    <>
      {ordered.length === 0 && (
        <Panel>
          <EmptyMessage
            icon={<Network size={32} aria-hidden />}
            title={messages.none}
            hint={messages.setUp}
          />
        </Panel>
      )}
      <ol className={classes.list} aria-label={messages.yours}>
        {ordered.map((gateway, index) => (
          <li key={gateway.gateway_slug}>
            <GatewayCard
              gateway={gateway}
              moveUp={index === 0 ? null : () => reordering.move(index, -1)}
              moveDown={index === ordered.length - 1 ? null : () => reordering.move(index, 1)}
              busy={reordering.busy}
            />
          </li>
        ))}
      </ol>
      {others.length > 0 && <OtherGateways gateways={others} />}
    </>
  );
}

/** Renumbers only the gateways whose number changes; this also fixes duplicate and missing numbers. */
function useReorder(ordered: readonly Gateway[]) {
  const changing = useChangeGateways();
  const move = (index: number, by: -1 | 1): void => {
    const changes = moveItem(ordered, index, by)
      .map(({ gateway_slug: slug, order }, place) => ({ slug, order, change: { order: place + 1 } }))
      .filter(({ order, change }) => order !== change.order);
    changing.mutate(changes, {
      onSuccess: () => void notifications.show({ color: 'teal', message: messages.reordered }),
      onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    });
  };
  return { move, busy: changing.isPending };
}
