import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { count, day, money } from '../../ui/formats';
import { DetailContent } from '../../ui/layout/detail-content';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { useMay } from '../shared/allowed';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { Evidence } from './evidence';
import { explanations } from './explanations';
import { differenceLabels, differenceStatusLabels } from './labels';
import { messages } from './messages';
import { differenceQuery, type DifferenceDetail } from './queries';
import { SettleDialog } from './settle-dialog';

const route = getRouteApi('/signed-in/reconciliation/differences/$id');

export function Difference() {
  const { id } = route.useParams();
  const difference = useQuery(differenceQuery(id));
  return <DetailContent query={difference}>{(data) => <DifferencePage difference={data} />}</DetailContent>;
}

interface DifferenceProps {
  readonly difference: DifferenceDetail;
}

function DifferencePage({ difference }: DifferenceProps) {
  const [isSettling, setSettling] = useState(false);
  const maySettle = useMay('payments:write');
  const { id, kind, status, currency, actual_amount: actual, expected_amount: expected } = difference;
  const amount = actual ?? expected;
  const { means, todo } = explanations[kind];
  return (
    <Page
      title={`${differenceLabels[kind]}${amount === null ? '' : ` · ${money(amount, currency)}`}`}
      subtitle={
        <Group gap="xs">
          <TextLink to="/reconciliation/differences" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.differences}
          </TextLink>
          <Badge tone={status === 'open' ? 'attention' : 'good'}>{differenceStatusLabels[status]}</Badge>
        </Group>
      }
      actions={
        maySettle && status === 'open' && <Button onClick={() => setSettling(true)}>{messages.settle}</Button>
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Panel title={messages.means}>
            <Stack gap="xs">
              <Text size="sm">{means}</Text>
              <Text size="sm">
                <strong>{messages.todo}:</strong> {todo}
              </Text>
            </Stack>
          </Panel>
          <Evidence difference={difference} />
        </div>
        <Facts difference={difference} />
      </div>
      {isSettling && <SettleDialog id={id} close={() => setSettling(false)} />}
    </Page>
  );
}

function Facts({ difference }: DifferenceProps) {
  const dates = useDates();
  const { gateway, line, currency, transaction_id: payment, settlement_id: id } = difference;
  const instant = (at: string | null) => at && <time dateTime={at}>{dates.second(at)}</time>;
  const amount = (cents: number | null) => (cents === null ? messages.nothing : money(cents, currency));
  return (
    <Panel title={messages.summary}>
      <FactList
        facts={[
          [messages.expected, amount(difference.expected_amount)],
          [messages.actual, amount(difference.actual_amount)],
          [
            messages.payment,
            payment === null ? (
              messages.noPayment
            ) : (
              <TextLink key="payment" to="/payments/$id" params={{ id: payment }} fz="sm">
                {payment}
              </TextLink>
            ),
          ],
          [
            messages.statement,
            <TextLink key="statement" to="/reconciliation/statements/$id" params={{ id }} fz="sm">
              {messages.statementOf(gateway, day(difference.day, 'long'))}
            </TextLink>,
          ],
          [messages.line, line === null ? null : count(line)],
          [messages.found, instant(difference.created_at)],
          [messages.settledAt, instant(difference.settled_at)],
          [messages.reason, difference.reason],
        ]}
      />
    </Panel>
  );
}
