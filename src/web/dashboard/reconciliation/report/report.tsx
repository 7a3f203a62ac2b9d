import { Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { locale } from '../../../ui/language';
import { Page } from '../../../ui/layout/page';
import { EmptyMessage, QueryContent } from '../../../ui/layout/page-states';
import { Panel } from '../../../ui/layout/panel';
import { dayIn } from '../../shared/days';
import { messages as reconciliation } from '../messages';
import { reportQuery } from '../queries';
import { ReconciledNotice } from '../reconciled-notice';
import { SectionLinks } from '../section-links';
import { DownloadReport } from './download-report';
import { GatewayReport, RecipientReport } from './report-tables';
import { messages } from './messages';

const route = getRouteApi('/signed-in/reconciliation/report');

const MONTHS = 24;
/** Months of the report are months in Brazil's official time. */
const REPORT_TIME_ZONE = 'America/Sao_Paulo';

export function Report() {
  const navigate = useNavigate();
  const [thisMonth = '', ...earlier] = lastMonths();
  const { month = thisMonth } = route.useSearch();
  const report = useQuery(reportQuery(month));
  const months = [...new Set([thisMonth, ...earlier, month])];
  return (
    <Page
      title={reconciliation.report}
      subtitle={monthName(month)}
      actions={<DownloadReport month={month} />}
    >
      <SectionLinks />
      <ReconciledNotice />
      <Group>
        <NativeSelect
          label={messages.month}
          value={month}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: '/reconciliation/report', search: { month: value } })
          }
          data={months.map((value) => ({ value, label: monthName(value) }))}
        />
      </Group>
      <QueryContent query={report}>
        {({ gateways, recipients }) =>
          gateways.length + recipients.length === 0 ? (
            <Panel>
              <EmptyMessage title={messages.noReport} />
            </Panel>
          ) : (
            <>
              <GatewayReport rows={gateways} />
              {recipients.length > 0 && <RecipientReport rows={recipients} />}
            </>
          )
        }
      </QueryContent>
    </Page>
  );
}

/** This month and those before it, `YYYY-MM`. */
function lastMonths(): string[] {
  const [year = 0, month = 1] = dayIn(REPORT_TIME_ZONE, new Date()).split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  );
}

function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
