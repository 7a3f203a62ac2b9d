import { Alert, Stack, Text } from '@mantine/core';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { PAYMENT_ATTENTIONS, type PaymentAttention } from '../payments/status-labels';
import type { PaymentSearch } from '../payments/search';
import { TextLink } from '../shared/links';
import { messages } from './messages';
import type { Dashboard } from './queries';

const HINTS: Readonly<Record<PaymentAttention, string>> = {
  overpaid: messages.overpaidHint,
  underpaid: messages.underpaidHint,
  disputed: messages.disputedHint,
  contradicted: messages.contradictedHint,
};

/** Payments that need attention, by the reason, each with a link to the list of them; hidden when there are none. */
export function AttentionNotice({ dashboard }: { readonly dashboard: Dashboard }) {
  const reasons = PAYMENT_ATTENTIONS.filter((reason) => dashboard.attention[reason] > 0);
  if (reasons.length === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.attention}>
      <Stack gap="xs">
        {reasons.map((reason) => (
          <div key={reason}>
            <TextLink to="/payments" search={searchOf(reason, dashboard)} fz="sm" underline="always">
              {messages[reason](dashboard.attention[reason])}
            </TextLink>
            <Text size="sm">{HINTS[reason]}</Text>
          </div>
        ))}
      </Stack>
    </Alert>
  );
}

/** The list has as many payments as the notice says: only overpaid ones are counted by the period. */
function searchOf(attention: PaymentAttention, { from, to }: Dashboard): PaymentSearch {
  return attention === 'overpaid' ? { attention, start_date: from, end_date: to } : { attention };
}
