import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Link from 'lucide-react/icons/link';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { messages as shared } from '../../ui/messages';
import { Page } from '../../ui/layout/page';
import { Nothing } from '../../ui/layout/page-states';
import { PagedList } from '../shared/paged-list';
import { LinkDialog } from './link-dialog';
import { LinkTable } from './link-table';
import { MadeDialog } from './made-dialog';
import { messages } from './messages';
import { paymentLinksQuery, type PaymentLink } from './queries';
import type { PaymentLinkSearch } from './routes';

const route = getRouteApi('/signed-in/payment-links');

/** Pages where anybody with the address pays or subscribes. */
export function PaymentLinks() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const links = useQuery(paymentLinksQuery(search));
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<PaymentLink | null>(null);
  const show = (changed: PaymentLinkSearch) => void navigate({ to: '/payment-links', search: changed });
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
      <WhichLinks search={search} show={show} />
      <PagedList
        query={links}
        nothing={<NoLinks search={search} />}
        table={(rows) => <LinkTable links={rows} />}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
      {creating && <LinkDialog close={() => setCreating(false)} created={setMade} />}
      {made !== null && <MadeDialog link={made} close={() => setMade(null)} />}
    </Page>
  );
}

interface WhichLinksProps {
  readonly search: PaymentLinkSearch;
  readonly show: (search: PaymentLinkSearch) => void;
}

/** All of them, or those that are on or off. */
function WhichLinks({ search: { is_active: active }, show }: WhichLinksProps) {
  return (
    <SegmentedControl
      aria-label={messages.which}
      value={active === undefined ? 'all' : String(active)}
      onChange={(value) => show(value === 'all' ? {} : { is_active: value === 'true' })}
      data={[
        { value: 'all', label: shared.all },
        { value: 'true', label: messages.on },
        { value: 'false', label: messages.off },
      ]}
      style={{ alignSelf: 'flex-start' }}
    />
  );
}

function NoLinks({ search }: { readonly search: PaymentLinkSearch }) {
  const icon = <Link size={32} aria-hidden />;
  return search.is_active === undefined ? (
    <Nothing icon={icon} title={messages.none} about={messages.noneAbout} />
  ) : (
    <Nothing icon={icon} title={messages.nothing} />
  );
}
