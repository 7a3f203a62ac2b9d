import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { Schema } from '../../api/client';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { customerQuery } from '../customers/queries';
import { customerName } from '../shared/customer-name';
import { Notes } from '../notes/notes';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { Cards, CheckoutPurchases } from './cards-and-purchases';
import { messages } from './messages';
import { NewestPayments, NewestSubscriptions } from './newest';

const route = getRouteApi('/signed-in/customers/$token');

export function Customer() {
  const { token } = route.useParams();
  const customer = useQuery(customerQuery(token));
  return <QueryContent query={customer}>{(data) => <CustomerPage token={token} data={data} />}</QueryContent>;
}

interface CustomerPageProps {
  readonly token: string;
  readonly data: Schema<'UserCustomer'>;
}

function CustomerPage({ token, data }: CustomerPageProps) {
  const { customer, cards, checkout_purchases: purchases } = data;
  return (
    <Page
      title={customerName(customer)}
      subtitle={
        <Group gap="xs">
          <TextLink to="/customers" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
          </TextLink>
          <Text size="sm" ff="monospace" className={classes.id}>
            {token}
          </Text>
        </Group>
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <NewestPayments token={token} />
          <NewestSubscriptions token={token} />
          <Cards cards={cards} />
          <CheckoutPurchases purchases={purchases} />
          <Notes about={{ customer: token }} />
        </div>
        <Summary customer={customer} />
      </div>
    </Page>
  );
}

function Summary({ customer }: { readonly customer: Schema<'Customer'> }) {
  const dates = useDates();
  const { email, document, phone, address, metadata, created_at: since } = customer;
  return (
    <Panel title={messages.summary}>
      <FactList
        facts={[
          [
            messages.email,
            <span key="email" className={classes.id}>
              {email}
            </span>,
          ],
          [messages.document, document],
          [messages.phone, phone],
          [messages.address, address && addressText(address)],
          [messages.since, since && dates.day(since)],
          [messages.metadata, metadata && metadataText(metadata)],
        ]}
      />
    </Panel>
  );
}

function addressText(address: NonNullable<Schema<'Customer'>['address']>): string {
  const { street, number, complementary, neighborhood, city, state, zip_code: zip } = address;
  const place = [`${street}, ${number}`, complementary, neighborhood, `${city} – ${state}`, zip];
  return place.filter((part) => part !== null && part !== undefined && part !== '').join(', ');
}

function metadataText(metadata: NonNullable<Schema<'Customer'>['metadata']>) {
  return Object.entries(metadata).map(([name, value]) => (
    <div key={name}>
      {name}: {String(value)}
    </div>
  ));
}
