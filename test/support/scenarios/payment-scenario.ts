import { randomUUID } from 'node:crypto';
import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import { callbackBody, signed } from '../../api/callbacks/callback-api';
import type { EngineApi } from '../../api/support/engine-api';
import { readExplainingRows, unexplainedEntries } from './ledger-explanation';
import { paymentMismatches, ledgerViolations } from './ledger-invariants';
import type { CallbackStyle, PaymentScenarioPlan, PaymentScenarioStep } from './payment-scenario-plan';
import { newCompany } from '../fixtures/payments';
import {
  requestOperation,
  deleteWorkflow,
  reloadPurchase,
  purchase,
  advanceClockBy,
  type OperationAnswer,
  type Purchase,
} from './purchase';
import { newRecipient, percentage } from '../fixtures/splits';
import { waitFor } from '../stack/wait-for';
import { resolve } from './resolve';

/** Two companies at one gateway. `withoutCallbacks` receives no callbacks for its payments. */
export interface ScenarioMerchants {
  readonly withCallbacks: AuthenticatedCompany;
  readonly withoutCallbacks: AuthenticatedCompany;
  /** Two recipients of each company, in that order. */
  readonly recipients: readonly [readonly string[], readonly string[]];
}

export async function createScenarioMerchants(
  { engine, baseUrl }: EngineApi,
  gateway: GatewaySlug,
): Promise<ScenarioMerchants> {
  const [withCallbacks, withoutCallbacks] = [
    await newCompany(engine, [gateway]),
    await newCompany(engine, [gateway]),
  ];
  const secret = `sk_test_${withCallbacks.clientId}`;
  await engine.simulator.setUpAccount(secret, { callback_url: `${baseUrl}/api/v1` });
  const createRecipient = (company: AuthenticatedCompany) =>
    waitFor(() => newRecipient(engine, company, gateway));
  const two = async (company: AuthenticatedCompany) => [
    await createRecipient(company),
    await createRecipient(company),
  ];
  return {
    withCallbacks,
    withoutCallbacks,
    recipients: [await two(withCallbacks), await two(withoutCallbacks)],
  };
}

interface OperationCall {
  readonly operation: PaymentOperation;
  readonly key: string;
  readonly amount: number | undefined;
  answer: OperationAnswer | undefined;
}

const HOUR_MS = 3_600_000;
const SETTLED_WITHIN_MS = 40_000;
const VALID_STATUSES: readonly number[] = [200, 202, 409, 422];

/** Runs one scenario: a payment and a client that sends operations. */
export class PaymentScenario {
  private readonly sent: OperationCall[] = [];
  private readonly pending: Array<Promise<void>> = [];
  private readonly violations: string[] = [];

  private constructor(
    private readonly api: EngineApi,
    private readonly gateway: GatewaySlug,
    private readonly subject: Purchase,
  ) {}

  /** Runs a plan and returns the violations found in the answers, and in the ledger once everything has settled. */
  static async run(
    api: EngineApi,
    merchants: ScenarioMerchants,
    plan: PaymentScenarioPlan,
  ): Promise<string[]> {
    const company = plan.sendsCallbacks ? merchants.withCallbacks : merchants.withoutCallbacks;
    const [first = '', second = ''] = merchants.recipients[plan.sendsCallbacks ? 0 : 1];
    const splits = plan.split ? { splits: [percentage(first, 70), percentage(second, 30)] } : {};
    const subject = await purchase(api.engine, company, plan.purchaseKind, splits);
    const scenario = new PaymentScenario(api, plan.gateway, subject);
    for (const step of plan.steps) await scenario.runStep(step);
    await scenario.settleAll();
    const before = await scenario.reconcile();
    await scenario.resendAll();
    const after = await scenario.reconcile();
    return [
      ...scenario.violations,
      ...before.violations,
      ...(before.text === after.text ? [] : ['resending changed the recorded state']),
    ];
  }

  private async runStep(step: PaymentScenarioStep): Promise<void> {
    const { engine } = this.api;
    const { transaction_id, amount } = this.subject.body;
    switch (step.kind) {
      case 'operation':
        return this.operate(step);
      case 'paid':
        if (this.subject.body.payment_method === 'card') return;
        await engine.simulator.pay(transaction_id, share(amount, step.percent));
        return;
      case 'gateway_refund':
        return this.refundAtGateway(share(amount, step.percent));
      case 'callback':
        return this.callBack(step.style);
      case 'time':
        await advanceClockBy(engine, this.subject, step.hours * HOUR_MS);
        return;
      case 'fault':
        return engine.simulator.script(
          { transaction_id, operation: step.operation },
          step.behavior,
          step.times,
        );
      case 'terminate':
        await this.workflow.terminate('as an operator in the Temporal UI might').catch(unlessGone);
        return;
      case 'delete':
        return deleteWorkflow(engine, this.subject).catch(unlessGone);
    }
  }

  /** The gateway refuses more than the charge holds. */
  private async refundAtGateway(cents: number): Promise<void> {
    const { transaction_id } = this.subject.body;
    await this.api.engine.simulator.refund(transaction_id, cents).catch((error: unknown) => {
      if (!/answered (404|422)/.test(String(error))) throw error;
    });
  }

  private get workflow() {
    return this.api.engine.context.temporal.workflow.getHandle(`payment/${this.subject.body.transaction_id}`);
  }

  private async operate(step: PaymentScenarioStep & { kind: 'operation' }): Promise<void> {
    const { operation, percent, concurrent } = step;
    const amount = operation === 'cancel' ? undefined : share(this.subject.body.amount, percent);
    const sent: OperationCall = { operation, key: randomUUID(), amount, answer: undefined };
    this.sent.push(sent);
    const answered = this.send(sent).then((answer) => {
      sent.answer = answer;
    });
    this.pending.push(answered);
    if (!concurrent) await answered;
  }

  private async send({ operation, key, amount }: OperationCall): Promise<OperationAnswer> {
    const options = amount === undefined ? { key } : { key, amount };
    const answer = await requestOperation(this.api.engine, this.subject, operation, options);
    if (!VALID_STATUSES.includes(answer.status))
      this.violations.push(`${operation} was answered ${answer.status}`);
    return answer;
  }

  /** Sends a callback as the gateway does. A forged one must be rejected. */
  private async callBack(style: CallbackStyle): Promise<void> {
    const { body } = this.subject;
    const callback = callbackBody(`${body.transaction_id}-1`, {
      kind: style === 'wrong' ? 'refunded' : style === 'chargeback' ? 'chargeback' : 'approved',
      amount: body.amount,
      paid_amount: style === 'wrong' ? body.amount * 7 : body.amount,
    });
    const secret = style === 'forged' ? 'whsec_of_another_sender' : `whsec_sandbox_${this.gateway}`;
    const request = { params: { gateway: this.gateway }, body: callback, headers: signed(callback, secret) };
    const answers = await Promise.all(
      Array.from({ length: style === 'repeated' ? 5 : 1 }, () =>
        this.api.anonymous('receiveCallback', request),
      ),
    );
    const expected = style === 'forged' ? 401 : 200;
    for (const { status } of answers) {
      if (status !== expected) this.violations.push(`a ${style} callback was answered ${status}`);
    }
  }

  /** Waits until nothing is in progress: runs the sweeper, resends operations, and restarts inquiries of a stuck payment. */
  private async settleAll(): Promise<void> {
    await Promise.all(this.pending);
    await this.waitUntilSettled();
    // For the company without callbacks.
    await this.callBack('correct');
    await this.waitUntilSettled();
  }

  private async waitUntilSettled(): Promise<void> {
    const { engine } = this.api;
    await waitFor(
      async () => {
        for (const sent of this.sent) {
          if (sent.answer?.status === 202) sent.answer = await this.send(sent);
        }
        await this.sweep();
        const row = await engine.context.payments.get(this.subject.body.transaction_id);
        if (row.stuckAt !== null) await this.restartInquirySchedule();
        const unsettled = await this.listUnsettled(row.id);
        // Otherwise the gateway is asked only after a minute.
        if (unsettled.some((line) => line.endsWith('is accepted'))) await this.callBack('correct');
        expect(unsettled).toEqual([]);
        return true;
      },
      { what: 'everything to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 150 },
    );
  }

  private async sweep(): Promise<void> {
    const { context, sweeper } = this.api.engine;
    const { transaction_id: id } = this.subject.body;
    const overdue = `now() - interval '1 second'`;
    await context.db.query(
      `UPDATE payments SET recover_after = ${overdue} WHERE transaction_id = $1 AND recover_after IS NOT NULL`,
      [id],
    );
    await context.db.query(
      `UPDATE gateway_callbacks SET recover_after = ${overdue} WHERE recover_after IS NOT NULL
         AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [id],
    );
    await sweeper.sweepOnce();
  }

  private async restartInquirySchedule(): Promise<void> {
    // The payment may have been resolved meanwhile.
    await resolve(this.api.engine, this.subject.body.transaction_id, 'retry').catch(() => undefined);
  }

  private async listUnsettled(paymentId: number): Promise<string[]> {
    const rows = await this.api.engine.context.db.query<{ description: string }>(
      `SELECT reference || ' is ' || status AS description FROM gateway_attempts
        WHERE payment_id = $1 AND status IN ('requested', 'sent', 'unknown', 'accepted')
       UNION ALL
       SELECT 'a callback is unprocessed' FROM gateway_callbacks WHERE payment_id = $1 AND processed_at IS NULL`,
      [paymentId],
    );
    return rows.map(({ description }) => description);
  }

  private async reconcile(): Promise<{ violations: string[]; text: string }> {
    const { engine } = this.api;
    const { entries } = await engine.simulator.ledger(this.subject.body.transaction_id);
    const payment = await reloadPurchase(engine, this.subject);
    const rows = await readExplainingRows(engine.context.db, { transactionId: payment.transaction_id });
    const violations = [
      ...ledgerViolations(entries),
      ...unexplainedEntries(entries, rows),
      ...paymentMismatches(payment, entries),
    ];
    return { violations, text: JSON.stringify([payment.status, payment.transactions, entries]) };
  }

  /** Resends every operation with a final answer and expects the same answer. */
  private async resendAll(): Promise<void> {
    for (const sent of this.sent) {
      const { answer, operation } = sent;
      if (answer === undefined || (answer.status !== 200 && answer.code !== 'gateway_refused')) continue;
      const again = await this.send(sent);
      const same =
        JSON.stringify({ ...again, replayed: true }) === JSON.stringify({ ...answer, replayed: true });
      if (!same || !again.replayed) {
        this.violations.push(
          `${operation} was answered ${JSON.stringify(answer)}, then ${JSON.stringify(again)}`,
        );
      }
    }
  }
}

function share(amount: number, percent: number): number {
  return Math.max(1, Math.round((amount * percent) / 100));
}

/** Ignores the error of a workflow that has ended or was deleted. */
function unlessGone(error: unknown): void {
  if (error instanceof WorkflowNotFoundError || isGrpcServiceError(error)) return;
  throw error;
}
