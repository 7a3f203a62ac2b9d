import { CHARGE_WINDOW_MS } from '../../src/domain/payment';
import type { AuthenticatedCompany } from '../../src/domain/company';
import type { PaymentBody } from '../../src/presenters/payment';
import type { Engine } from './engine';
import { pay, uniqueAmount } from './pay';

/** A payment that no workflow has looked at until its time was over: `failNotAttempted` moves it outside any workflow. */
export async function unattempted(engine: Engine, company: AuthenticatedCompany): Promise<PaymentBody> {
  const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, {
    amount: uniqueAmount(),
  });
  await engine.parts.db.query(
    `UPDATE payments SET created_at = created_at - make_interval(secs => $2::float8) WHERE transaction_id = $1`,
    [body.transaction_id, CHARGE_WINDOW_MS / 1000],
  );
  return body;
}
