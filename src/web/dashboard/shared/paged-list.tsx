import type { ComponentProps, ReactNode } from 'react';
import { count } from '../../ui/formats';
import { Pager } from '../../ui/layout/pager';
import { Panel } from '../../ui/layout/panel';
import { Lines, Loaded } from '../../ui/layout/page-states';
import type { Schema } from '../../api/client';

interface Listed<Row> {
  readonly data: readonly Row[];
  readonly meta: Schema<'PageMeta'>;
}

interface PagedListProps<Row> {
  readonly query: ComponentProps<typeof Loaded<Listed<Row>>>['query'];
  readonly nothing: ReactNode;
  readonly table: (rows: readonly Row[]) => ReactNode;
  /** In words, how many there are. */
  readonly total: (count: number, shown: string) => string;
  readonly goTo: (page: number) => void;
  /** Lines to stand for it while it loads. */
  readonly lines?: number;
}

/** One page of a list, and the way to the others. */
export function PagedList<Row>({ query, nothing, table, total, goTo, lines }: PagedListProps<Row>) {
  return (
    <Panel flush>
      <Loaded query={query} skeleton={<Lines {...(lines !== undefined && { count: lines })} />}>
        {({ data, meta }) =>
          data.length === 0 ? (
            nothing
          ) : (
            <>
              {table(data)}
              <Pager meta={meta} total={total(meta.total, count(meta.total))} goTo={goTo} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
