import type { StatementLine } from '../../domain/settlement/statement-line';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { STATEMENT_PAGE_LINES, type StatementDriver } from '../statements/statement-driver';
import { get } from './calls';
import { statementReply, type WireStatementLine } from './wire-statement';

export const simulatorStatements: StatementDriver<GatewayContext> = {
  async fetchPage(ctx, { day, cursor }) {
    const query = new URLSearchParams({ limit: String(STATEMENT_PAGE_LINES) });
    if (cursor !== null) query.set('after', cursor);
    const reply = await get(ctx, `/statements/${day}?${query.toString()}`, statementReply);
    if (reply.day !== day || reply.data.length > STATEMENT_PAGE_LINES)
      throw new GatewayError('ambiguous', 'the gateway answered with another statement');
    return { lines: reply.data.map(lineOf), next: reply.next };
  },
};

function lineOf(line: WireStatementLine): StatementLine {
  return {
    lineId: line.id,
    kind: line.kind,
    day: line.day,
    reference: line.reference,
    gatewayTransactionId: line.charge_id,
    disputeId: line.dispute_id,
    amountCents: line.amount,
    feeCents: line.fee,
    netCents: line.net,
    currency: line.currency,
    installment: line.installment,
    occurredAt: line.occurred_at === null ? null : new Date(line.occurred_at),
  };
}
