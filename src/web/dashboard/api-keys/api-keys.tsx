import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { EmptyMessage } from '../../ui/layout/page-states';
import { SectionLinks } from '../settings/section-links';
import { ListPage } from '../shared/list-page';
import { PagedList } from '../shared/paged-list';
import { ApiKeyDialog } from './api-key-dialog';
import { ApiKeyTable } from './api-key-table';
import { KeyOnce } from './key-once';
import { messages } from './messages';
import { apiKeysQuery } from './queries';

const route = getRouteApi('/signed-in/settings/api-keys');

export function ApiKeys() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const keys = useQuery(apiKeysQuery(page));
  const [created, show] = useState<string | null>(null);
  const goTo = (next: number) =>
    void navigate({ to: '/settings/api-keys', search: next > 1 ? { page: next } : {} });
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.add}
      permission="api_keys:write"
      createDialog={(close) => <ApiKeyDialog close={close} onCreated={show} />}
    >
      <SectionLinks />
      <PagedList
        query={keys}
        empty={
          <EmptyMessage
            icon={<KeyRound size={32} aria-hidden />}
            title={messages.none}
            hint={messages.noneHint}
          />
        }
        table={(rows) => <ApiKeyTable keys={rows} />}
        total={messages.total}
        goTo={goTo}
      />
      {created !== null && <KeyOnce apiKey={created} close={() => show(null)} />}
    </ListPage>
  );
}
