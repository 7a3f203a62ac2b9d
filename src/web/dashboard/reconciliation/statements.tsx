import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { Choice } from '../../ui/forms/choice';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { GATEWAYS } from '../payments/status-labels';
import { Allowed } from '../shared/allowed';
import { PagedList } from '../shared/paged-list';
import { STATEMENT_STATUSES, statementStatusLabels } from './labels';
import { messages } from './messages';
import { statementsQuery } from './queries';
import { ReconciledNotice } from './reconciled-notice';
import type { StatementSearch } from './routes';
import { SectionLinks } from './section-links';
import { StatementTable } from './statement-table';
import { messages as uploading } from './upload/messages';
import { UploadDialog } from './upload/upload-dialog';

const route = getRouteApi('/signed-in/reconciliation');

export function Statements() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const statements = useQuery(statementsQuery(search));
  const [isUploading, setUploading] = useState(false);
  const show = (changed: StatementSearch) => void navigate({ to: '/reconciliation', search: changed });
  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      actions={
        <Allowed to="payments:write">
          <Button leftSection={<Upload size={16} aria-hidden />} onClick={() => setUploading(true)}>
            {uploading.upload}
          </Button>
        </Allowed>
      }
    >
      <SectionLinks />
      <ReconciledNotice />
      <Filters search={search} show={show} />
      <PagedList
        query={statements}
        empty={<EmptyMessage title={messages.noStatements} hint={messages.noStatementsHint} />}
        table={(rows) => <StatementTable statements={rows} outdated={statements.isPlaceholderData} />}
        total={messages.totalStatements}
        goTo={(page) => show({ ...search, page })}
      />
      {isUploading && <UploadDialog gateway={search.gateway} close={() => setUploading(false)} />}
    </Page>
  );
}

interface FiltersProps {
  readonly search: StatementSearch;
  readonly show: (search: StatementSearch) => void;
}

function Filters({ search: { page: _page, ...chosen }, show }: FiltersProps) {
  const change = (part: StatementSearch) => show({ ...chosen, ...part });
  return (
    <Group gap="sm" align="flex-end">
      <Choice
        label={messages.gateway}
        values={GATEWAYS}
        value={chosen.gateway}
        onChange={(gateway) => change({ gateway })}
      />
      <Choice
        label={messages.status}
        values={STATEMENT_STATUSES}
        labels={statementStatusLabels}
        value={chosen.status}
        onChange={(status) => change({ status })}
      />
      <TextInput
        type="date"
        label={messages.day}
        value={chosen.day ?? ''}
        onChange={({ currentTarget: { value } }) => change({ day: value === '' ? undefined : value })}
      />
      {Object.values(chosen).some((value) => value !== undefined) && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clear}
        </Button>
      )}
    </Group>
  );
}
