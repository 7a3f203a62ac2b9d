import type { ComponentProps, ReactNode } from 'react';
import { count } from '../../ui/formats';
import { Pager } from '../../ui/layout/pager';
import { Panel } from '../../ui/layout/panel';
import { SkeletonLines, QueryContent } from '../../ui/layout/page-states';
import { ShowLatest } from './show-latest';
import type { ListPage } from './use-steady-list';

interface PagedListProps<Row> {
  readonly query: ComponentProps<typeof QueryContent<ListPage<Row>>>['query'];
  readonly empty: ReactNode;
  readonly table: (rows: readonly Row[]) => ReactNode;
  /** Label for the number of items. */
  readonly total: (count: number, shown: string) => string;
  readonly goTo: (page: number) => void;
  /** Shows rows that came or went since the list was opened; null if there are none. */
  readonly showLatest?: (() => void) | null;
  /** Number of skeleton lines while loading. */
  readonly lines?: number;
}

export function PagedList<Row>({
  query,
  empty,
  table,
  total,
  goTo,
  showLatest = null,
  lines,
}: PagedListProps<Row>) {
  return (
    <Panel flush>
      <QueryContent query={query} skeleton={<SkeletonLines {...(lines !== undefined && { count: lines })} />}>
        {({ data, meta }) =>
          data.length === 0 ? (
            empty
          ) : (
            <>
              <ShowLatest show={showLatest} />
              {table(data)}
              <Pager meta={meta} total={total(meta.total, count(meta.total))} goTo={goTo} />
            </>
          )
        }
      </QueryContent>
    </Panel>
  );
}
