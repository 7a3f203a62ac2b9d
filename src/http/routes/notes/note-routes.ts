import type { Notes, NoteTarget } from '../../../application/notes/notes';
import type { CreateOnce } from '../../../application/shared/create-once';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { presentNote } from '../../../presenters/notes/note';
import { presentPage } from '../../../presenters/page';
import type { RouteHandlers, RouteRequest } from '../../server/route';
import { answerCreation } from '../creation';
import { pageRequest } from '../page-request';

type NoteRouteId = 'listPaymentNotes' | 'addPaymentNote' | 'listCustomerNotes' | 'addCustomerNote';

/** Notes of users on payments and customers. */
export function noteRoutes(notes: Notes, createOnce: CreateOnce): Pick<RouteHandlers, NoteRouteId> {
  const list = async (
    { company, query }: Pick<RouteRequest<'listPaymentNotes'>, 'company' | 'query'>,
    target: NoteTarget,
  ) => {
    const page = pageRequest(query);
    return { status: 200, body: presentPage(await notes.list(company.id, target, page), page, presentNote) };
  };
  const add = (request: Omit<RouteRequest<'addPaymentNote'>, 'params'>, target: NoteTarget) => {
    const author = { ...auditActorOf(request), name: request.user.name };
    return answerCreation(createOnce, request, () => notes.add(author, target, request.body.text), {
      status: 201,
      present: ({ note }) => ({ data: presentNote(note) }),
      personal: ({ personal }) => personal,
    });
  };
  return {
    listPaymentNotes: (request) => list(request, { kind: 'payment', id: request.params.id }),
    addPaymentNote: (request) => add(request, { kind: 'payment', id: request.params.id }),
    listCustomerNotes: (request) => list(request, { kind: 'customer', id: request.params.token }),
    addCustomerNote: (request) => add(request, { kind: 'customer', id: request.params.token }),
  };
}
