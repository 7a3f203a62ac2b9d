import { infiniteQueryOptions } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';

/** What notes are about, by the id that the API shows. */
export type NoteTarget = { readonly payment: string } | { readonly customer: string };

export const notesQuery = (about: NoteTarget) =>
  infiniteQueryOptions({
    queryKey: ['notes', about],
    queryFn: ({ pageParam }) => listNotes(about, pageParam),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
  });

function listNotes(about: NoteTarget, page: number) {
  if ('payment' in about) {
    const params = { path: { id: about.payment }, query: { page } };
    return unwrapBody(api.GET('/user/payments/{id}/notes', { params }));
  }
  const params = { path: { token: about.customer }, query: { page } };
  return unwrapBody(api.GET('/user/customers/{token}/notes', { params }));
}

export function addNote(about: NoteTarget, text: string, idempotencyKey: string) {
  const body = { text };
  const header = { 'Idempotency-Key': idempotencyKey };
  if ('payment' in about) {
    const params = { path: { id: about.payment }, header };
    return unwrapBody(api.POST('/user/payments/{id}/notes', { params, body }));
  }
  const params = { path: { token: about.customer }, header };
  return unwrapBody(api.POST('/user/customers/{token}/notes', { params, body }));
}
