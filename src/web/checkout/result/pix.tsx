import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useId, useRef, useState } from 'react';
import { money } from '../../ui/formats';
import { onCurrentHost, type CheckoutOffer } from '../page-data';
import { Button } from '../ui/button';
import classes from '../checkout.module.css';
import { copyText } from '../ui/copy-text';
import { messages } from '../messages';
import { PayForm } from '../pay/pay-form';
import pixClasses from './pix.module.css';
import type { Session } from '../session/session-api';
import type { Pix } from '../stage';
import { StageTitle } from '../ui/stage-title';
import { useNow } from '../session/use-now';
import type { Purchase } from '../session/use-purchase';

interface PixPaymentProps {
  readonly offer: CheckoutOffer | null;
  readonly session: Session;
  readonly pix: Pix;
  readonly purchase: Purchase;
}

/** An open Pix; the buyer may pay by card instead. */
export function PixPayment({ offer, session, pix, purchase }: PixPaymentProps) {
  const [isByCard, setByCard] = useState(false);
  if (isByCard && offer !== null) {
    return (
      <>
        <StageTitle shouldFocus>{messages.payByCard}</StageTitle>
        <p className={classes.muted}>{messages.cancelsPix}</p>
        <PayForm
          offer={offer}
          session={session}
          methods={['card']}
          buyerName={purchase.buyer?.name ?? ''}
          pay={purchase.pay}
        />
        <Button kind="text" onClick={() => setByCard(false)}>
          {messages.backToPix}
        </Button>
      </>
    );
  }
  const canPayByCard = offer !== null && session.can_change_to_card;
  return (
    <>
      <StageTitle shouldFocus={!purchase.isResumed}>{messages.pixTitle}</StageTitle>
      <PixStatus pix={pix} />
      {offer === null && (
        <p className={pixClasses.amount}>{money(session.payment?.amount ?? 0, session.currency)}</p>
      )}
      <div className={pixClasses.options}>
        <PixCode code={pix.code} />
        <div className={pixClasses.qrCode}>
          {pix.qrCodeUrl !== null && (
            <img
              className={pixClasses.image}
              src={onCurrentHost(pix.qrCodeUrl)}
              alt={messages.qrCode}
              width={180}
              height={180}
            />
          )}
          <ol className={pixClasses.steps}>
            {messages.pixSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      </div>
      {purchase.isPollingStopped && (
        <Button kind="plain" onClick={() => void purchase.refresh()}>
          {messages.checkPaid}
        </Button>
      )}
      {canPayByCard && (
        <Button kind="text" onClick={() => setByCard(true)}>
          {messages.payByCard}
        </Button>
      )}
    </>
  );
}

function PixStatus({ pix: { expiresAt } }: Pick<PixPaymentProps, 'pix'>) {
  const now = useNow();
  const leftMs = expiresAt === null ? null : expiresAt.getTime() - now.getTime();
  if (leftMs !== null && leftMs <= 0) {
    return (
      <p className={pixClasses.expired} role="status">
        {messages.pixLate}
      </p>
    );
  }
  return (
    <div className={pixClasses.statusRow}>
      <p role="status" className={pixClasses.status}>
        <span className={pixClasses.dot} aria-hidden />
        {messages.pixWaiting}
      </p>
      {leftMs !== null && (
        <p role="timer" aria-live="off">
          {messages.payWithin} <strong>{formatTimeLeft(leftMs)}</strong>
        </p>
      )}
    </div>
  );
}

/** `23:59:41`, or `14:32` within the last hour. */
function formatTimeLeft(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part) => String(part).padStart(2, '0')).join(':');
}

const COPIED_SHOWN_MS = 4_000;

function PixCode({ code }: { readonly code: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (field.current === null) return;
    setCopied(await copyText(field.current));
    setTimeout(() => setCopied(false), COPIED_SHOWN_MS);
  };
  return (
    <div className={pixClasses.code}>
      <label htmlFor={id}>{messages.codeLabel}</label>
      <input id={id} ref={field} value={code} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={() => void copy()}>
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        {isCopied ? messages.copied : messages.copyCode}
      </Button>
      <p role="status" className={classes.visuallyHidden}>
        {isCopied ? messages.copied : ''}
      </p>
    </div>
  );
}
