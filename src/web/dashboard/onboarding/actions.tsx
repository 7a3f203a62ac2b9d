import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { CopyField } from '../../ui/copy-field';
import { money } from '../../ui/formats';
import { FormError } from '../../ui/forms/form-error';
import { QueryContent } from '../../ui/layout/page-states';
import { Connect } from '../gateways/credentials';
import { gatewaysQuery } from '../gateways/queries';
import { gatewayTitle } from '../gateways/vendors';
import { LinkDialog } from '../payment-links/link-dialog';
import { linkState } from '../payment-links/link-state';
import { paymentLinksQuery } from '../payment-links/queries';
import { PaymentStatusBadge } from '../payments/status-badge';
import { Allowed, useMay } from '../shared/allowed';
import { ButtonLink, TextLink } from '../shared/links';
import { receiverQuery, useAddReceiver } from '../webhook-receiver/queries';
import { messages } from './messages';
import { useTestPayment } from './queries';

/* What each of the first steps offers in its place. */

export function ConnectGateway() {
  const gateways = useQuery(gatewaysQuery);
  return (
    <QueryContent query={gateways} skeleton={null}>
      {(data) => {
        const open = data.filter(({ active, platform, configured }) => active && !platform && !configured);
        if (open.length === 0) return <Text size="sm">{messages.noGateways}</Text>;
        return (
          <Stack gap={6}>
            {open.map((gateway) => (
              <Group key={gateway.gateway_slug} justify="space-between" gap="xs">
                <Text size="sm">{gatewayTitle(gateway)}</Text>
                <Connect gateway={gateway} />
              </Group>
            ))}
          </Stack>
        );
      }}
    </QueryContent>
  );
}

/** `done`: whether a payment was approved already. */
export function MakePayment({ done }: { readonly done: boolean }) {
  const paying = useTestPayment();
  const mayPay = useMay('payments:write');
  if (!mayPay || (done && paying.data === undefined)) return null;
  return (
    <Stack gap="xs" align="flex-start">
      <FormError error={paying.error} />
      {paying.data !== undefined && <PaymentResult payment={paying.data} />}
      <Button
        size="xs"
        variant={paying.data === undefined ? 'filled' : 'default'}
        loading={paying.isPending}
        onClick={() => paying.mutate()}
      >
        {paying.data === undefined ? messages.pay : messages.payAgain}
      </Button>
    </Stack>
  );
}

function PaymentResult({ payment }: { readonly payment: Schema<'Payment'> }) {
  const { transaction_id: id, status, code, amount, currency } = payment;
  return (
    <Group gap="sm" role="status">
      <PaymentStatusBadge status={status} code={code} />
      <Text size="sm">{money(amount, currency)}</Text>
      {status === 'processing' && (
        <Text size="sm" c="dimmed">
          {messages.pending}
        </Text>
      )}
      <TextLink to="/payments/$id" params={{ id }} fz="sm">
        {messages.paid}
      </TextLink>
    </Group>
  );
}

/** `done`: whether a delivery was answered already. */
export function ReceiveWebhook({ done }: { readonly done: boolean }) {
  const receiver = useQuery(receiverQuery);
  const adding = useAddReceiver();
  const hasReceiver = receiver.data !== undefined && receiver.data.endpoint !== null;
  if (hasReceiver)
    return (
      <ButtonLink to="/webhooks/receiver" size="xs" variant="default" style={{ alignSelf: 'flex-start' }}>
        {messages.look}
      </ButtonLink>
    );
  if (done || receiver.data === undefined) return null;
  return (
    <Allowed to="webhooks:write">
      <Stack gap="xs" align="flex-start">
        <FormError error={adding.error} />
        <Button size="xs" loading={adding.isPending} onClick={() => adding.mutate()}>
          {messages.addReceiver}
        </Button>
      </Stack>
    </Allowed>
  );
}

export function ShareLink() {
  const links = useQuery(paymentLinksQuery({ is_active: true }));
  const [creating, setCreating] = useState(false);
  const now = new Date();
  const link = links.data?.data.find((item) => linkState(item, now) === 'active');
  if (links.data === undefined) return null;
  if (link === undefined)
    return (
      <Allowed to="catalog:write">
        <Button size="xs" style={{ alignSelf: 'flex-start' }} onClick={() => setCreating(true)}>
          {messages.createLink}
        </Button>
        {creating && <LinkDialog close={() => setCreating(false)} />}
      </Allowed>
    );
  return (
    <Stack gap="xs">
      <CopyField label={messages.linkAddress} value={link.checkout_url} />
      <Group gap="sm">
        <Button
          component="a"
          size="xs"
          variant="default"
          href={link.checkout_url}
          target="_blank"
          rel="noreferrer"
          rightSection={<ExternalLink size={14} aria-hidden />}
        >
          {messages.openLink}
        </Button>
        <TextLink to="/payment-links" fz="sm">
          {messages.allLinks}
        </TextLink>
      </Group>
    </Stack>
  );
}
