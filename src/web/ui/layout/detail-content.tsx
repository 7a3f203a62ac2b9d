import type { ReactNode } from 'react';
import { RequestError } from '../../api/request-error';
import { messages } from '../messages';
import { Page } from './page';
import { QueryContent, type QueryResult } from './page-states';

interface DetailContentProps<Data> {
  readonly query: QueryResult<Data>;
  /** A whole page, with its title. */
  readonly children: (data: Data) => ReactNode;
}

/** The page of one thing. If it cannot be shown, the page still has a title. */
export function DetailContent<Data>({ query, children }: DetailContentProps<Data>) {
  const content = <QueryContent query={query}>{children}</QueryContent>;
  if (query.data !== undefined || query.error === null) return content;
  const isMissing = query.error instanceof RequestError && query.error.status === 404;
  return <Page title={isMissing ? messages.notFound : messages.somethingWrong}>{content}</Page>;
}
