import { Badge } from '../../ui/badge';
import { STATEMENT_TONES, statementStatusLabels } from './labels';
import { messages } from './messages';
import type { Statement } from './queries';

/** A reconciled statement with open differences is not good yet. */
export function StatementBadge({
  statement: { status, open_items: open },
}: {
  readonly statement: Statement;
}) {
  if (status === 'done' && open > 0) return <Badge tone="attention">{messages.toSettle}</Badge>;
  return <Badge tone={STATEMENT_TONES[status]}>{statementStatusLabels[status]}</Badge>;
}
