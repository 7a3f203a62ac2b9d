import type { AuditActor } from '../../domain/companies/audit-actor';
import { personalContent, type PersonalContent } from '../../domain/customers/personal-data';
import { MAX_NOTES, type Note, type NoteSubject } from '../../domain/notes/note';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import { newNoteId, parseTransactionId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { NoteRepository } from '../../persistence/notes/note-repository';
import type { PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { Creation } from '../shared/create-once';

export interface NotesDeps {
  readonly notes: NoteRepository;
  readonly customers: CustomerRepository;
  readonly payments: PaymentRepository;
  readonly audit: AuditRepository;
  readonly now: () => Date;
}

/** A payment or a customer, by the id that the API shows. */
export interface NoteTarget {
  readonly kind: 'payment' | 'customer';
  readonly id: string;
}

export interface AddedNote {
  readonly note: Note;
  readonly personal: PersonalContent;
}

interface NoteAuthor extends AuditActor {
  readonly name: string;
}

/** Notes of a company's users. Another company's payment or customer gives the same `not_found` as an unknown one. */
export class Notes {
  constructor(private readonly deps: NotesDeps) {}

  /** @throws ApiError `not_found` */
  async list(companyId: number, target: NoteTarget, page: PageRequest): Promise<Page<Note>> {
    return this.deps.notes.list(await this.subject(companyId, target), page);
  }

  /**
   * @throws ApiError `not_found`; `invalid_state` if the payment's customer is erased, or has all the notes it may have;
   *   `validation_error` on `text` if it is blank
   */
  add({ name, ...actor }: NoteAuthor, target: NoteTarget, text: string): Creation<AddedNote> {
    const { notes, customers, audit, now } = this.deps;
    const written = text.trim();
    if (written === '') throw validationError({ text: ['must not be blank'] });
    return async (tx) => {
      const note = { id: newNoteId(), author: name, text: written, createdAt: now() };
      const subject = await this.subject(actor.companyId, target, tx);
      // Locks the customer, so that it is not erased before the note is committed.
      const customer = await customers.findByToken(actor.companyId, subject.customerToken, tx);
      if (customer === null)
        throw new ApiError('invalid_state', 'The customer is erased: a note could not be kept.');
      const isKept = await notes.insert(tx, subject, customer.key, { ...note, userId: actor.userId });
      if (!isKept) throw new ApiError('invalid_state', `There are ${MAX_NOTES} notes already.`);
      await audit.insert(tx, {
        ...actor,
        action: `${target.kind}.add_note`,
        subjectType: target.kind,
        subjectId: target.id,
        changes: { note_id: note.id },
      });
      return { note, personal: personalContent('note', customer) };
    };
  }

  private async subject(
    companyId: number,
    { kind, id }: NoteTarget,
    tx?: Tx,
  ): Promise<NoteSubject & { readonly customerToken: string }> {
    if (kind === 'customer') {
      const customer = await this.deps.customers.findByToken(companyId, id, tx);
      if (customer === null) throw notFound();
      return { companyId, customerId: customer.id, customerToken: id, paymentId: null };
    }
    const transactionId = parseTransactionId(id);
    const payment = transactionId && (await this.deps.payments.find(companyId, transactionId, tx));
    if (payment === null) throw notFound();
    const { id: customerId, token: customerToken } = payment.customer;
    return { companyId, customerId, customerToken, paymentId: payment.id };
  }
}
