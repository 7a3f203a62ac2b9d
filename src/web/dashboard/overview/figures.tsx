import { Box, SegmentedControl } from '@mantine/core';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useState } from 'react';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ApprovalByGateway } from './approval-by-gateway';
import { ApprovalPerDay } from './approval-per-day';
import { DeclineReasons } from './decline-reasons';
import { FailingWebhooks } from './failing-webhooks';
import classes from './figures.module.css';
import { KeyFigures } from './key-figures';
import { messages } from './messages';
import { Outcomes } from './outcomes';
import { RecurringRevenue } from './recurring-revenue';
import { RevenueByMonth } from '../revenue/revenue-by-month';
import type { Dashboard } from './queries';
import { VolumePerDay } from './volume-per-day';

type Totals = Dashboard['totals'][number];

interface FiguresProps {
  readonly dashboard: Dashboard;
  /** True while the data of the previous period is shown during loading. */
  readonly outdated: boolean;
}

export function Figures({ dashboard, outdated }: FiguresProps) {
  const currencies = dashboard.totals.map(({ currency }) => currency);
  const [selected, setSelected] = useState<string | null>(null);
  const currency = currencies.find((item) => item === selected) ?? currencies[0];
  const totals = dashboard.totals.find((item) => item.currency === currency);
  if (currency === undefined || totals === undefined) {
    return (
      <div className={classes.figures}>
        <NoPayments dashboard={dashboard} />
      </div>
    );
  }
  return (
    <Box className={classes.figures} data-outdated={outdated} aria-busy={outdated}>
      {currencies.length > 1 && (
        <SegmentedControl
          className={classes.currency}
          aria-label={messages.currency}
          value={currency}
          onChange={setSelected}
          data={currencies}
        />
      )}
      <KeyFigures dashboard={dashboard} totals={totals} />
      {isQuiet(dashboard, totals) ? (
        <>
          <NoPayments dashboard={dashboard} />
          <RevenueByMonth currency={currency} />
        </>
      ) : (
        <Charts dashboard={dashboard} totals={totals} />
      )}
    </Box>
  );
}

/** Empty charts would only invent axes. */
function isQuiet({ approval_by_gateway: gateways, recurring_revenue: recurring }: Dashboard, totals: Totals) {
  return (
    totals.payments.count === 0 && gateways.length === 0 && recurring.every(({ plans }) => plans.length === 0)
  );
}

interface ChartsProps {
  readonly dashboard: Dashboard;
  readonly totals: Totals;
}

function Charts({ dashboard, totals }: ChartsProps) {
  const { currency } = totals;
  return (
    <>
      <div className={classes.wide}>
        <VolumePerDay dashboard={dashboard} currency={currency} />
        <Outcomes totals={totals} />
      </div>
      <div className={classes.even}>
        <ApprovalPerDay dashboard={dashboard} />
        <ApprovalByGateway dashboard={dashboard} />
      </div>
      <div className={classes.even}>
        <RecurringRevenue dashboard={dashboard} currency={currency} />
        <DeclineReasons dashboard={dashboard} />
      </div>
      <RevenueByMonth currency={currency} />
      <FailingWebhooks dashboard={dashboard} />
    </>
  );
}

function NoPayments({ dashboard }: { readonly dashboard: Dashboard }) {
  return (
    <>
      <Panel>
        <EmptyMessage
          icon={<ReceiptText size={32} aria-hidden />}
          title={messages.noMatch}
          hint={messages.noMatchHint}
        />
      </Panel>
      {dashboard.failing_webhooks.length > 0 && <FailingWebhooks dashboard={dashboard} />}
    </>
  );
}
