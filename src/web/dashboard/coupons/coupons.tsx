import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ListPage } from '../shared/list-page';
import { PagedList } from '../shared/paged-list';
import { messages } from './messages';
import { CouponDialog } from './coupon-dialog';
import { CouponTable } from './coupon-table';
import { couponsQuery } from './queries';

const route = getRouteApi('/signed-in/coupons');

export function Coupons() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const coupons = useQuery(couponsQuery(page));
  const goTo = (next: number) => void navigate({ to: '/coupons', search: next > 1 ? { page: next } : {} });
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.add}
      permission="catalog:write"
      createDialog={(close) => <CouponDialog close={close} />}
    >
      <PagedList
        query={coupons}
        empty={
          <EmptyMessage
            icon={<TicketPercent size={32} aria-hidden />}
            title={messages.none}
            hint={messages.noneHint}
          />
        }
        table={(rows) => <CouponTable coupons={rows} />}
        total={messages.total}
        goTo={goTo}
      />
    </ListPage>
  );
}
