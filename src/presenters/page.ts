import type { Page, PageRequest } from '../domain/shared/page';
import type { components } from '../http/generated/openapi';

type PageMeta = components['schemas']['PageMeta'];

/** The envelope of lists: `data` and `meta`. An empty list has one page. */
export function presentPage<Row, Item>(
  { rows, total }: Page<Row>,
  page: PageRequest,
  present: (row: Row) => Item,
): { data: Item[]; meta: PageMeta } {
  const lastPage = Math.max(1, Math.ceil(total / page.size));
  return {
    data: rows.map(present),
    meta: { current_page: page.number, per_page: page.size, total, last_page: lastPage },
  };
}
