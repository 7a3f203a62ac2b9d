import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import Network from 'lucide-react/icons/network';
import { failureWords } from '../../ui/forms/error-messages';
import { moveItem } from '../../ui/forms/reorder';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { Loaded, Nothing } from '../../ui/layout/page-states';
import { GatewayCard } from './gateway-card';
import classes from './gateways.module.css';
import { messages } from './messages';
import { OtherGateways } from './other-gateways';
import { gatewaysQuery, useChangeGateways, type Gateway } from './queries';

export function Gateways() {
  const gateways = useQuery(gatewaysQuery);
  return (
    <Page title={messages.title} about={messages.about}>
      <Loaded query={gateways}>{(data) => <GatewayLists gateways={data} />}</Loaded>
    </Page>
  );
}

function GatewayLists({ gateways }: { readonly gateways: readonly Gateway[] }) {
  const own = gateways.filter(({ configured, platform }) => configured && !platform);
  const yours = own.toSorted((one, other) => (one.order ?? 0) - (other.order ?? 0));
  const others = gateways.filter((gateway) => !own.includes(gateway));
  const moving = useMove(yours);
  return (
    <>
      {yours.length === 0 && (
        <Panel>
          <Nothing
            icon={<Network size={32} aria-hidden />}
            title={messages.none}
            about={messages.noneAbout}
          />
        </Panel>
      )}
      <ol className={classes.list} aria-label={messages.yours}>
        {yours.map((gateway, index) => (
          <li key={gateway.gateway_slug}>
            <GatewayCard
              gateway={gateway}
              moveUp={index === 0 ? null : () => moving.move(index, -1)}
              moveDown={index === yours.length - 1 ? null : () => moving.move(index, 1)}
              busy={moving.busy}
            />
          </li>
        ))}
      </ol>
      {others.length > 0 && <OtherGateways gateways={others} />}
    </>
  );
}

/** Numbers them anew where the number is another one: equal and missing numbers go by the way. */
function useMove(yours: readonly Gateway[]) {
  const changing = useChangeGateways();
  const move = (index: number, by: -1 | 1): void => {
    const changes = moveItem(yours, index, by)
      .map(({ gateway_slug: slug, order }, place) => ({ slug, order, change: { order: place + 1 } }))
      .filter(({ order, change }) => order !== change.order);
    changing.mutate(changes, {
      onSuccess: () => void notifications.show({ color: 'teal', message: messages.moved }),
      onError: (error) => void notifications.show({ color: 'red', message: failureWords(error) }),
    });
  };
  return { move, busy: changing.isPending };
}
