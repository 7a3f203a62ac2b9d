import { randomUUID } from 'node:crypto';
import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';

import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import { notice, signed } from '../../api/callbacks/callback-api';
import type { EngineApi } from '../../api/support/engine-api';
import { disagreements, ledgerViolations } from './ledger-invariants';
import type { CallbackStyle, LifePlan, LifeStep } from './payment-scenario-plan';
import { newCompany } from '../fixtures/payments';
import { ask, forgetWorkflow, now, purchase, timePasses, type Answered, type Purchase } from './purchase';
import { newRecipient, percentage } from '../fixtures/splits';
import { waitFor } from '../stack/wait-for';
import { resolve } from './resolve';

/** Who buys at one gateway: callbacks of `silent`'s payments go nowhere. */
export interface Shop {
  readonly calledBack: AuthenticatedCompany;
  readonly silent: AuthenticatedCompany;
  /** Of both companies, in that order. */
  readonly recipients: readonly [readonly string[], readonly string[]];
}

export async function openShop({ engine, baseUrl }: EngineApi, gateway: GatewaySlug): Promise<Shop> {
  const [calledBack, silent] = [await newCompany(engine, [gateway]), await newCompany(engine, [gateway])];
  const secret = `sk_test_${calledBack.clientId}`;
  await engine.simulator.setUpAccount(secret, { callback_url: `${baseUrl}/api/v1` });
  const hire = (company: AuthenticatedCompany) => waitFor(() => newRecipient(engine, company, gateway));
  const two = async (company: AuthenticatedCompany) => [await hire(company), await hire(company)];
  return { calledBack, silent, recipients: [await two(calledBack), await two(silent)] };
}

interface Asked {
  readonly operation: PaymentOperation;
  readonly key: string;
  readonly amount: number | undefined;
  answer: Answered | undefined;
}

const HOUR_MS = 3_600_000;
const OVER_WITHIN_MS = 40_000;
const MAY_BE_ANSWERED: readonly number[] = [200, 202, 409, 422];

/** A payment, and whoever asks for things to be done to it. */
export class Life {
  private readonly asked: Asked[] = [];
  private readonly underWay: Array<Promise<void>> = [];
  private readonly wrong: string[] = [];

  private constructor(
    private readonly api: EngineApi,
    private readonly gateway: GatewaySlug,
    private readonly subject: Purchase,
  ) {}

  /** Lives through a plan and tells, in words, what went wrong: by the answers, and by the books once all is over. */
  static async live(api: EngineApi, shop: Shop, plan: LifePlan): Promise<string[]> {
    const company = plan.callsBack ? shop.calledBack : shop.silent;
    const [first = '', second = ''] = shop.recipients[plan.callsBack ? 0 : 1];
    const splits = plan.split ? { splits: [percentage(first, 70), percentage(second, 30)] } : {};
    const subject = await purchase(api.engine, company, plan.bought, splits);
    const life = new Life(api, plan.gateway, subject);
    for (const step of plan.steps) await life.make(step);
    await life.becomesQuiet();
    const books = await life.readBooks();
    await life.everythingAgain();
    const after = await life.readBooks();
    return [
      ...life.wrong,
      ...books.wrong,
      ...(books.text === after.text ? [] : ['resending changed the books']),
    ];
  }

  private async make(step: LifeStep): Promise<void> {
    const { engine } = this.api;
    const { transaction_id, amount } = this.subject.body;
    switch (step.kind) {
      case 'operation':
        return this.operate(step);
      case 'paid':
        if (this.subject.body.payment_method === 'card') return;
        await engine.simulator.pay(transaction_id, share(amount, step.percent));
        return;
      case 'callback':
        return this.callBack(step.style);
      case 'time':
        await timePasses(engine, this.subject, step.hours * HOUR_MS);
        return;
      case 'trouble':
        return engine.simulator.script(
          { transaction_id, operation: step.operation },
          step.behavior,
          step.times,
        );
      case 'terminated':
        await this.workflow.terminate('as a person in the UI might').catch(unlessGone);
        return;
      case 'forgotten':
        return forgetWorkflow(engine, this.subject).catch(unlessGone);
    }
  }

  private get workflow() {
    return this.api.engine.parts.temporal.workflow.getHandle(`payment/${this.subject.body.transaction_id}`);
  }

  private async operate(step: LifeStep & { kind: 'operation' }): Promise<void> {
    const { operation, percent, together } = step;
    const amount = operation === 'cancel' ? undefined : share(this.subject.body.amount, percent);
    const asked: Asked = { operation, key: randomUUID(), amount, answer: undefined };
    this.asked.push(asked);
    const answered = this.send(asked).then((answer) => {
      asked.answer = answer;
    });
    this.underWay.push(answered);
    if (!together) await answered;
  }

  private async send({ operation, key, amount }: Asked): Promise<Answered> {
    const options = amount === undefined ? { key } : { key, amount };
    const answer = await ask(this.api.engine, this.subject, operation, options);
    if (!MAY_BE_ANSWERED.includes(answer.status))
      this.wrong.push(`${operation} was answered ${answer.status}`);
    return answer;
  }

  /** A callback of the gateway's, whatever it says; a forged one must not get in. */
  private async callBack(style: CallbackStyle): Promise<void> {
    const { body } = this.subject;
    const told = notice(`${body.transaction_id}-1`, {
      kind: style === 'lying' ? 'refunded' : style === 'chargeback' ? 'chargeback' : 'approved',
      amount: body.amount,
      paid_amount: style === 'lying' ? body.amount * 7 : body.amount,
    });
    const secret = style === 'forged' ? 'whsec_of_somebody_else' : `whsec_sandbox_${this.gateway}`;
    const request = { params: { gateway: this.gateway }, body: told, headers: signed(told, secret) };
    const answers = await Promise.all(
      Array.from({ length: style === 'repeated' ? 5 : 1 }, () =>
        this.api.anonymous('receiveCallback', request),
      ),
    );
    const expected = style === 'forged' ? 401 : 200;
    for (const { status } of answers) {
      if (status !== expected) this.wrong.push(`a ${style} callback was answered ${status}`);
    }
  }

  /** Waits until nothing is under way: sweepers sweep, callers ask again, and a person has the gateway asked once more. */
  private async becomesQuiet(): Promise<void> {
    await Promise.all(this.underWay);
    await this.settles();
    // Whoever was never called back hears of it now.
    await this.callBack('true');
    await this.settles();
  }

  private async settles(): Promise<void> {
    const { engine } = this.api;
    await waitFor(
      async () => {
        for (const asked of this.asked) {
          if (asked.answer?.status === 202) asked.answer = await this.send(asked);
        }
        await this.sweep();
        const row = await engine.parts.payments.get(this.subject.body.transaction_id);
        if (row.stuckAt !== null) await this.restartInquirySchedule();
        expect(await this.leftOpen(row.id)).toEqual([]);
        return true;
      },
      { what: 'everything to be over', withinMs: OVER_WITHIN_MS, everyMs: 150 },
    );
  }

  private async sweep(): Promise<void> {
    const { parts, sweeper } = this.api.engine;
    const { transaction_id: id } = this.subject.body;
    const overdue = `now() - interval '1 second'`;
    await parts.db.query(
      `UPDATE payments SET recover_after = ${overdue} WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [id],
    );
    await parts.db.query(
      `UPDATE gateway_callbacks SET recover_after = ${overdue} WHERE recover_after IS NOT NULL
         AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [id],
    );
    await sweeper.sweepOnce();
  }

  private async restartInquirySchedule(): Promise<void> {
    // It may have answered itself just now.
    await resolve(this.api.engine, this.subject.body.transaction_id, 'retry').catch(() => undefined);
  }

  private async leftOpen(paymentId: number): Promise<string[]> {
    const rows = await this.api.engine.parts.db.query<{ what: string }>(
      `SELECT reference || ' is ' || status AS what FROM gateway_attempts
        WHERE payment_id = $1 AND status IN ('requested', 'sent', 'unknown')
       UNION ALL
       SELECT 'a callback waits' FROM gateway_callbacks WHERE payment_id = $1 AND processed_at IS NULL`,
      [paymentId],
    );
    return rows.map(({ what }) => what);
  }

  private async readBooks(): Promise<{ wrong: string[]; text: string }> {
    const { engine } = this.api;
    const { entries } = await engine.simulator.ledger(this.subject.body.transaction_id);
    const payment = await now(engine, this.subject);
    const { webhook: _, ...told } = payment;
    const wrong = [...ledgerViolations(entries), ...disagreements(payment, entries)];
    return { wrong, text: JSON.stringify([told.status, told.transactions, entries]) };
  }

  /** What was answered for good is answered so again. */
  private async everythingAgain(): Promise<void> {
    for (const asked of this.asked) {
      const { answer, operation } = asked;
      if (answer === undefined || (answer.status !== 200 && answer.code !== 'gateway_refused')) continue;
      const again = await this.send(asked);
      const same =
        JSON.stringify({ ...again, replayed: true }) === JSON.stringify({ ...answer, replayed: true });
      if (!same || !again.replayed) {
        this.wrong.push(`${operation} was answered ${JSON.stringify(answer)}, then ${JSON.stringify(again)}`);
      }
    }
  }
}

function share(amount: number, percent: number): number {
  return Math.max(1, Math.round((amount * percent) / 100));
}

/** A run that has ended cannot be ended again, and what is forgotten cannot be forgotten. */
function unlessGone(error: unknown): void {
  if (error instanceof WorkflowNotFoundError || isGrpcServiceError(error)) return;
  throw error;
}
