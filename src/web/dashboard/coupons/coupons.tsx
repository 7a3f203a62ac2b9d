import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { count } from '../../ui/formats';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Lines, Loaded, Nothing } from '../../ui/states';
import { messages } from './messages';
import { CouponDialog } from './coupon-dialog';
import { CouponTable } from './coupon-table';
import { couponsQuery } from './queries';

const route = getRouteApi('/signed-in/coupons');

/** Codes that take something off subscriptions. */
export function Coupons() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const coupons = useQuery(couponsQuery(page));
  const [creating, setCreating] = useState(false);
  const goTo = (next: number) => void navigate({ to: '/coupons', search: next > 1 ? { page: next } : {} });
  return (
    <Page
      title={messages.title}
      about={messages.about}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {messages.add}
        </Button>
      }
    >
      <Panel flush>
        <Loaded query={coupons} skeleton={<Lines />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Nothing
                icon={<TicketPercent size={32} aria-hidden />}
                title={messages.none}
                about={messages.noneAbout}
              />
            ) : (
              <>
                <CouponTable coupons={data} />
                <Pager meta={meta} total={messages.total(meta.total, count(meta.total))} goTo={goTo} />
              </>
            )
          }
        </Loaded>
      </Panel>
      {creating && <CouponDialog close={() => setCreating(false)} />}
    </Page>
  );
}
