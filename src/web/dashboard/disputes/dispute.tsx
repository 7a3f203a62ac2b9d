import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ExternalLink from 'lucide-react/icons/external-link';
import { money } from '../../ui/formats';
import { DetailContent } from '../../ui/layout/detail-content';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { CardBlockPanel } from './card-block-panel';
import { DisputeActions } from './dispute-actions';
import { EvidencePanel } from './evidence-panel';
import { messages } from './messages';
import { disputeQuery, isUnderWay, type DisputeDetail, type Evidence } from './queries';
import { DisputeStatusBadge } from './status-badge';
import { Story, SubscriptionLink } from './story';

const route = getRouteApi('/signed-in/disputes/$id');

export function Dispute() {
  const { id } = route.useParams();
  const dispute = useQuery(disputeQuery(id));
  return <DetailContent query={dispute}>{(data) => <DisputePage {...data} />}</DetailContent>;
}

interface DisputePageProps {
  readonly dispute: DisputeDetail;
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
          <DisputeStatusBadge dispute={dispute} />
        </Group>
      }
      actions={<DisputeActions dispute={dispute} evidence={evidence} />}
    >
      {isAnsweredElsewhere(dispute) && (
        <Alert
          icon={<ExternalLink aria-hidden />}
          title={dispute.kind === 'med' ? messages.banksDecide : messages.elsewhere(dispute.gateway)}
        >
          <Text size="sm">{messages.elsewhereHints[dispute.kind]}</Text>
        </Alert>
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Story dispute={dispute} />
          {(evidence.length > 0 || dispute.answers.includes('evidence')) && (
            <EvidencePanel dispute={dispute} evidence={evidence} />
          )}
          {dispute.card_block !== null && (
            <CardBlockPanel disputeId={dispute.id} block={dispute.card_block} />
          )}
        </div>
        <Facts dispute={dispute} />
      </div>
    </Page>
  );
}

/** It waits for the company, and the gateway takes no answer through its API. */
function isAnsweredElsewhere(dispute: DisputeDetail): boolean {
  return dispute.status === 'opened' && dispute.answers.length === 0 && !isUnderWay(dispute);
}

function Facts({ dispute }: { readonly dispute: DisputeDetail }) {
  const dates = useDates();
  const instant = (at: string | null) => at && <time dateTime={at}>{dates.second(at)}</time>;
  const mayHaveDeadline = dispute.status === 'opened' && dispute.kind !== 'med';
  const { currency, returned_amount: returned, loss_to_settle: loss, transaction_id: id } = dispute;
  return (
    <Panel title={messages.summary}>
      <FactList
        facts={[
          [messages.due, instant(dispute.evidence_due_at) ?? (mayHaveDeadline && messages.noDeadline)],
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
          [
            messages.subscription,
            dispute.subscription && <SubscriptionLink key="subscription" id={dispute.subscription.id} />,
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
