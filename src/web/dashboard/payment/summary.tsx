import { Anchor, Stack } from '@mantine/core';
import { CopyField } from '../../ui/copy-field';
import { FactList } from '../../ui/layout/fact-list';
import { count, money } from '../../ui/formats';
import { language } from '../../ui/language';
import { Panel } from '../../ui/layout/panel';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { PaymentStatusBadge } from '../payments/status-badge';
import { failureCodeLabels, methodLabels } from '../payments/status-labels';
import { useDates } from '../shared/use-dates';
import { CustomerLink } from '../customers/customer-link';
import { Inquiry } from './inquiry';
import { messages } from './messages';
import type { Payment } from './operations';
import type { UserPayment } from './queries';

interface SummaryProps {
  readonly data: UserPayment;
}

export function Summary({ data }: SummaryProps) {
  const { payment } = data;
  const { amount, currency, status } = payment;
  return (
    <Panel title={messages.summary}>
      <Stack gap={6} align="flex-start">
        <span className={classes.amount}>{money(amount, currency)}</span>
        <PaymentStatusBadge status={status} code={payment.code} stuck={data.stuck_since !== null} />
        <Inquiry data={data} />
      </Stack>
      <AmountFacts payment={payment} />
      <ReferenceFacts payment={payment} />
      <PaymentCodes payment={payment} />
    </Panel>
  );
}

function AmountFacts({ payment }: { readonly payment: Payment }) {
  const dates = useDates();
  const { currency, card, code, status, installments } = payment;
  const cents = (value: number | null) => (value === null || value === 0 ? null : money(value, currency));
  const method = card ? messages.card(card.brand, card.last_4_digits) : methodLabels[payment.payment_method];
  const before = payment.capture_before;
  return (
    <FactList
      facts={[
        [messages.captured, cents(payment.captured_amount)],
        [messages.refunded, cents(payment.refunded_amount)],
        [messages.paid, cents(payment.paid_amount)],
        [messages.method, method],
        ['', installments > 1 ? messages.installments(installments) : null],
        [messages.interest, cents(payment.interest_amount)],
        [messages.failure, code === null ? null : failureCodeLabels[code]],
        // The service writes it in English.
        [messages.response, language === 'en' ? payment.message : null],
        [messages.captureBefore, status === 'authorized' && before !== null ? dates.minute(before) : null],
      ]}
    />
  );
}

/** `0.244s` of the API, as the browser's language writes it. */
const inSeconds = (time: string): string => `${count(Number.parseFloat(time))} s`;

function ReferenceFacts({ payment }: { readonly payment: Payment }) {
  const dates = useDates();
  const { customer, metadata, created_at: created, subscription_id: subscription } = payment;
  const { total_request_time: total, gateways_request_time: atGateways } = payment;
  const took =
    total && (atGateways ? messages.durationOf(inSeconds(total), inSeconds(atGateways)) : inSeconds(total));
  return (
    <FactList
      facts={[
        [messages.customer, customer && <CustomerLink customer={customer} />],
        [messages.document, customer?.document],
        [messages.order, payment.merchant_order_id],
        [
          messages.subscription,
          subscription !== undefined && (
            <TextLink to="/subscriptions/$id" params={{ id: subscription }} fz="sm">
              {messages.toSubscription}
            </TextLink>
          ),
        ],
        [messages.key, payment.idempotency_key],
        [messages.created, created === null ? null : dates.minute(created)],
        [messages.duration, took],
        [
          messages.metadata,
          metadata &&
            Object.entries(metadata).map(([name, value]) => (
              <div key={name}>
                {name}: {String(value)}
              </div>
            )),
        ],
      ]}
    />
  );
}

/** Codes with which the customer can still pay. */
function PaymentCodes({ payment: { status, transactions } }: { readonly payment: Payment }) {
  const last = transactions.findLast(({ pix, billet }) => pix !== null || billet !== null);
  if (status !== 'pending' || last === undefined) return null;
  return (
    <Stack mt="md" gap="sm">
      {last.pix?.qr_code && <CopyField label={messages.pixCode} value={last.pix.qr_code} />}
      {last.billet?.line && <CopyField label={messages.boletoNumber} value={last.billet.line} />}
      {last.billet?.url && (
        <Anchor href={last.billet.url} target="_blank" rel="noreferrer" fz="sm">
          {messages.boletoPage}
        </Anchor>
      )}
    </Stack>
  );
}
