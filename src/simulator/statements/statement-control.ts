import { z } from 'zod';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import { GATEWAY_SLUGS } from '../../domain/shared/gateway-slug';
import type { ChargeStore } from '../charge-store';
import { controlErrorResponse, type SimulatorResponse } from '../replies';
import type { StatementBook } from './statement-book';
import { canHave, plan, STATEMENT_ERRORS } from './statement-errors';

const MAX_ERRORS = 10_000;
const MAX_COST = 1_000_000;

const gateway = z.enum(GATEWAY_SLUGS);
const transactionId = z.string().min(1).optional();
const statementQuery = z.object({ gateway, day: z.iso.date(), transaction_id: transactionId });
const errorBody = z.strictObject({
  gateway,
  day: z.iso.date(),
  kind: z.enum(STATEMENT_ERRORS),
  count: z.int().min(1).max(MAX_ERRORS).default(1),
  /** Only lines of this payment; of every account of the gateway if omitted. */
  transaction_id: transactionId,
});
const anticipationBody = z.strictObject({
  transaction_id: z.string().min(1),
  /** Today, in Brasília, if omitted. */
  day: z.iso.date().optional(),
  cost: z.int().min(0).max(MAX_COST).default(0),
});

/** The control routes of statements: what a driver would fetch, errors in it, and anticipations. */
export class StatementControl {
  constructor(
    private readonly store: ChargeStore,
    private readonly book: StatementBook,
  ) {}

  /** `GET /_admin/statements`: of the account of a payment, or of every account of the gateway. */
  show(query: URLSearchParams): SimulatorResponse {
    const parsed = statementQuery.safeParse(Object.fromEntries(query));
    if (!parsed.success) return invalid(parsed.error);
    const { gateway: slug, day, transaction_id: id } = parsed.data;
    const account = this.accountOf(id);
    return { status: 200, body: { day, data: this.book.linesOf({ gateway: slug, account, day }) } };
  }

  /** `POST /_admin/statement-errors`: errors of one kind, each in a line that has none yet. */
  plantErrors(body: unknown): SimulatorResponse {
    const parsed = errorBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { gateway: slug, day, kind, count, transaction_id: id } = parsed.data;
    const lines = this.book.linesOf({ gateway: slug, account: this.accountOf(id), day });
    const known = new Map<string, number>();
    for (const line of lines) known.set(line.id, (known.get(line.id) ?? 0) + 1);
    const planned = lines.flatMap((line) => {
      const charge = line.charge_id === null ? null : this.store.find(slug, line.charge_id);
      const isFree = known.get(line.id) === 1 && this.book.isUntouched(slug, day, line.id);
      const isOfPayment = id === undefined || charge?.reference.startsWith(id) === true;
      return charge !== null && isFree && isOfPayment && canHave(kind, line) ? [{ line, charge }] : [];
    });
    if (planned.length < count)
      return controlErrorResponse(422, 'too_few_lines', `only ${planned.length} lines can have this error`);
    const planted = planned.slice(0, count).map(({ line, charge }) => {
      const patch = plan(kind, line);
      this.book.plant({ gateway: slug, account: charge.account, day, cause: line.id, ...patch });
      const [added = line] = patch.adds;
      return { kind, line_id: added.id, reference: added.reference, charge_id: added.charge_id };
    });
    return { status: 201, body: { planted } };
  }

  /** `POST /_admin/anticipations`: what is not settled before `day` is settled on it. */
  anticipate(body: unknown): SimulatorResponse {
    const parsed = anticipationBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { transaction_id: id, day = dateIn(BRASILIA, new Date()), cost } = parsed.data;
    const charge = this.store.ofTransaction(id).findLast(({ captured }) => captured > 0);
    if (charge === undefined)
      return controlErrorResponse(404, 'not_found', 'no charge with this transaction_id is captured');
    this.book.anticipate({ chargeId: charge.id, day, cost });
    return { status: 201, body: { charge_id: charge.id, day } };
  }

  private accountOf(transactionId: string | undefined): string | null {
    if (transactionId === undefined) return null;
    return this.store.ofTransaction(transactionId)[0]?.account ?? '';
  }
}

function invalid(error: z.ZodError): SimulatorResponse {
  return controlErrorResponse(422, 'invalid_request', z.prettifyError(error));
}
