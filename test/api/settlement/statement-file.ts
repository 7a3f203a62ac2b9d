import { STATEMENT_COLUMNS } from '../../../src/domain/settlement/statement-csv';
import type { WireStatementLine } from '../../../src/gateways/simulator/wire-statement';

/** The statement of the simulator as a file that a company uploads. */
export function statementFile(lines: readonly WireStatementLine[]): string {
  const rows = lines.map((line) => [
    ...[line.id, line.kind, line.day, line.reference, line.charge_id, line.dispute_id],
    ...[line.amount, line.fee, line.net, line.currency, line.installment, line.occurred_at],
  ]);
  return [STATEMENT_COLUMNS, ...rows].map((row) => `${row.join(',')}\n`).join('');
}

interface Answer {
  readonly status: number;
  readonly body: { data?: { id: string; status: string; lines: number }; errors?: Record<string, string[]> };
}

/** Uploads a file, which no JSON client does. */
export async function upload(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
  body: string | ReadableStream,
): Promise<Answer> {
  const url = `${baseUrl}/api/v1/user/settlements/import?${new URLSearchParams(query).toString()}`;
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body,
    duplex: 'half' as const,
  };
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
