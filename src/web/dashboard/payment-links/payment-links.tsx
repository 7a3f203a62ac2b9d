import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Link from 'lucide-react/icons/link';
import { useState } from 'react';
import { messages as shared } from '../../ui/messages';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ListPage } from '../shared/list-page';
import { PagedList } from '../shared/paged-list';
import { LinkDialog } from './link-dialog';
import { LinkTable } from './link-table';
import { LinkCreatedDialog } from './link-created-dialog';
import { messages } from './messages';
import { paymentLinksQuery, type PaymentLink } from './queries';
import type { PaymentLinkSearch } from './routes';

const route = getRouteApi('/signed-in/payment-links');

export function PaymentLinks() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const links = useQuery(paymentLinksQuery(search));
  const [createdLink, setCreatedLink] = useState<PaymentLink | null>(null);
  const show = (changed: PaymentLinkSearch) => void navigate({ to: '/payment-links', search: changed });
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.add}
      permission="catalog:write"
      createDialog={(close) => <LinkDialog close={close} onCreated={setCreatedLink} />}
    >
      <StatusFilter search={search} show={show} />
      <PagedList
        query={links}
        empty={<NoLinks search={search} />}
        table={(rows) => <LinkTable links={rows} />}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
      {createdLink !== null && <LinkCreatedDialog link={createdLink} close={() => setCreatedLink(null)} />}
    </ListPage>
  );
}

interface StatusFilterProps {
  readonly search: PaymentLinkSearch;
  readonly show: (search: PaymentLinkSearch) => void;
}

function StatusFilter({ search: { is_active: active }, show }: StatusFilterProps) {
  return (
    <SegmentedControl
      aria-label={messages.filter}
      value={active === undefined ? 'all' : String(active)}
      onChange={(value) => show(value === 'all' ? {} : { is_active: value === 'true' })}
      data={[
        { value: 'all', label: shared.all },
        { value: 'true', label: messages.active },
        { value: 'false', label: messages.inactive },
      ]}
      style={{ alignSelf: 'flex-start' }}
    />
  );
}

function NoLinks({ search }: { readonly search: PaymentLinkSearch }) {
  const icon = <Link size={32} aria-hidden />;
  return search.is_active === undefined ? (
    <EmptyMessage icon={icon} title={messages.none} hint={messages.noneHint} />
  ) : (
    <EmptyMessage icon={icon} title={messages.noMatch} />
  );
}
