import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Badge } from '../../ui/badge';
import { money } from '../../ui/formats';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { CardBlockPanel } from './card-block-panel';
import { DisputeActions } from './dispute-actions';
import { EvidencePanel } from './evidence-panel';
import { messages, TONES } from './messages';
import { disputeQuery, type Dispute as DisputeBody, type Evidence } from './queries';

const route = getRouteApi('/signed-in/disputes/$id');

export function Dispute() {
  const { id } = route.useParams();
  const dispute = useQuery(disputeQuery(id));
  return <QueryContent query={dispute}>{(data) => <DisputePage {...data} />}</QueryContent>;
}

interface DisputePageProps {
  readonly dispute: DisputeBody;
  readonly evidence: readonly Evidence[];
}

function DisputePage({ dispute, evidence }: DisputePageProps) {
  return (
    <Page
      title={`${messages.kinds[dispute.kind]} · ${money(dispute.amount, dispute.currency)}`}
      subtitle={
        <Group gap="xs">
          <TextLink to="/disputes" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
          </TextLink>
          <Badge tone={TONES[dispute.status]}>{messages.statuses[dispute.status]}</Badge>
        </Group>
      }
      actions={<DisputeActions dispute={dispute} evidence={evidence} />}
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <EvidencePanel dispute={dispute} evidence={evidence} />
          {dispute.last_request !== null && <Story request={dispute.last_request} />}
          {dispute.card_block !== null && (
            <CardBlockPanel disputeId={dispute.id} block={dispute.card_block} />
          )}
        </div>
        <Facts dispute={dispute} />
      </div>
    </Page>
  );
}

function Story({ request }: { readonly request: NonNullable<DisputeBody['last_request']> }) {
  const dates = useDates();
  return (
    <Panel title={messages.story}>
      <Stack gap={4}>
        <Text size="sm" fw={550}>
          {messages.asked[request.kind]} ·{' '}
          <time dateTime={request.requested_at}>{dates.second(request.requested_at)}</time>
        </Text>
        <Text size="sm">{messages.answers[request.status]}</Text>
        {request.message !== null && (
          <Text size="sm" c="dimmed">
            {request.message}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

function Facts({ dispute }: { readonly dispute: DisputeBody }) {
  const dates = useDates();
  const instant = (at: string | null) => at && <time dateTime={at}>{dates.second(at)}</time>;
  const { currency, returned_amount: returned, loss_to_settle: loss, transaction_id: id } = dispute;
  return (
    <Panel title={messages.summary}>
      <FactList
        facts={[
          [messages.due, instant(dispute.evidence_due_at) ?? messages.noDeadline],
          [messages.amount, money(dispute.amount, currency)],
          [messages.returned, returned > 0 && money(returned, currency)],
          [messages.loss, loss > 0 && `${money(loss, currency)}. ${messages.lossNote}`],
          [messages.reason, dispute.reason_code],
          [
            messages.payment,
            <TextLink key="payment" to="/payments/$id" params={{ id }} fz="sm">
              {dispute.merchant_order_id}
            </TextLink>,
          ],
          [messages.gateway, dispute.gateway],
          [messages.gatewayId, dispute.gateway_dispute_id],
          [messages.opened, instant(dispute.opened_at)],
          [messages.closed, instant(dispute.closed_at)],
        ]}
      />
    </Panel>
  );
}
