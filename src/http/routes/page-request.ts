import type { PageRequest } from '../../domain/shared/page';

/** The page that a list's query asks for. */
export function pageRequest({
  page,
  per_page,
}: {
  readonly page: number;
  readonly per_page: number;
}): PageRequest {
  return { number: page, size: per_page };
}
