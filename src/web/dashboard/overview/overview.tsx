import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { day } from '../../ui/formats';
import { Page } from '../../ui/layout/page';
import { QueryContent } from '../../ui/layout/page-states';
import { FirstSteps } from '../onboarding/first-steps';
import { ReconciledNotice } from '../reconciliation/reconciled-notice';
import { useTimeZone } from '../session';
import { AttentionNotice } from './attention-notice';
import { ChargesOnHoldNotice } from './charges-on-hold-notice';
import { ManualReviewNotice } from './manual-review-notice';
import { Figures } from './figures';
import { messages } from './messages';
import { daysOf, isDefault } from './period';
import { PeriodPicker } from './period-picker';
import { dashboardQuery } from './queries';
import { FiguresSkeleton } from './skeleton';

const route = getRouteApi('/signed-in/');

export function Overview() {
  const period = route.useSearch();
  const timeZone = useTimeZone();
  const days = daysOf(period, timeZone, new Date());
  const dashboard = useQuery(dashboardQuery(isDefault(period) ? {} : days));
  const about = messages.subtitle(day(days.from, 'long'), day(days.to, 'long'), timeZone);
  return (
    <Page title={messages.title} subtitle={about} actions={<PeriodPicker period={period} days={days} />}>
      <FirstSteps />
      <ManualReviewNotice />
      {dashboard.data !== undefined && <AttentionNotice dashboard={dashboard.data} />}
      {dashboard.data !== undefined && <ChargesOnHoldNotice dashboard={dashboard.data} />}
      <ReconciledNotice />
      <QueryContent query={dashboard} skeleton={<FiguresSkeleton />}>
        {(data) => <Figures dashboard={data} outdated={dashboard.isPlaceholderData} />}
      </QueryContent>
    </Page>
  );
}
