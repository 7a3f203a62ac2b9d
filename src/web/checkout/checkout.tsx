import { useEffect, type ReactNode } from 'react';
import { offer } from './pay/billing-address';
import { Button } from './ui/button';
import classes from './checkout.module.css';
import { Company } from './summary/company';
import { DetailsForm } from './pay/details-form';
import { Done } from './result/done';
import { Ended } from './result/ended';
import { messages } from './messages';
import { PayForm } from './pay/pay-form';
import { PixToPay } from './result/pix';
import type { Session } from './session/session-api';
import { StageTitle } from './ui/stage-title';
import { Summary } from './summary/summary';
import { usePurchase, type Purchase } from './session/use-purchase';

export function Checkout() {
  const purchase = usePurchase();
  const { stage, isResumed } = purchase;
  useEffect(() => {
    document.title = offer === null ? messages.untitled : `${offer.name} · ${offer.company.name}`;
  }, []);

  switch (stage.kind) {
    case 'resuming':
      return (
        <Single>
          <p role="status" className={classes.loading}>
            <span className={classes.wheel} aria-hidden />
            <span className={classes.spoken}>{messages.loading}</span>
          </p>
        </Single>
      );
    case 'details':
      return (
        <Split session={null}>
          <DetailsForm
            buyer={purchase.buyer}
            acceptsCoupons={offer?.accepts_coupons ?? false}
            takesFocus={!isResumed}
            open={purchase.open}
          />
        </Split>
      );
    case 'paying':
      return (
        <Split session={stage.session}>
          <Who purchase={purchase} />
          <StageTitle takesFocus={!isResumed}>{messages.payment}</StageTitle>
          {offer !== null && (
            <PayForm
              offer={offer}
              session={stage.session}
              methods={stage.session.payment_methods}
              buyerName={purchase.buyer?.name ?? ''}
              pay={purchase.pay}
            />
          )}
        </Split>
      );
    case 'waiting':
      return (
        <Split session={stage.session}>
          <Waiting purchase={purchase} />
        </Split>
      );
    case 'pix':
      return (
        <Split session={stage.session}>
          <PixToPay
            key={stage.pix.code}
            offer={offer}
            session={stage.session}
            pix={stage.pix}
            purchase={purchase}
          />
        </Split>
      );
    case 'done':
      return (
        <Single>
          <Done offer={offer} session={stage.session} purchase={purchase} />
        </Single>
      );
    case 'ended':
      return (
        <Single>
          <Ended problem={stage.problem} again={purchase.beginAnew} />
        </Single>
      );
  }
}

/** What is bought on the one side, what to do about it on the other; one above the other on a phone. */
function Split({ session, children }: { readonly session: Session | null; readonly children: ReactNode }) {
  return (
    <div className={classes.split}>
      <div className={classes.offer}>{offer !== null && <Summary offer={offer} session={session} />}</div>
      <main className={classes.desk}>
        <div className={classes.sheet}>{children}</div>
      </main>
    </div>
  );
}

function Single({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.single}>
      <header>{offer !== null && <Company company={offer.company} />}</header>
      <main className={classes.card}>{children}</main>
    </div>
  );
}

/** Who buys, as far as this page knows; a try without an answer is for whoever began it. */
function Who({ purchase: { buyer, isOpen, changeDetails } }: { readonly purchase: Purchase }) {
  return (
    <div className={classes.who}>
      <p>{buyer === null ? messages.details : `${buyer.name} · ${buyer.email}`}</p>
      {!isOpen && (
        <button type="button" onClick={changeDetails} aria-label={messages.changeDetails}>
          {messages.change}
        </button>
      )}
    </div>
  );
}

function Waiting({ purchase: { isResumed, isTired, ask } }: { readonly purchase: Purchase }) {
  return (
    <div className={classes.waiting}>
      {!isTired && <span className={classes.wheel} aria-hidden />}
      <StageTitle takesFocus={!isResumed}>{messages.waitingTitle}</StageTitle>
      <p className={classes.about} role="status">
        {isTired ? messages.waitingTired : messages.waitingAbout}
      </p>
      {isTired && (
        <Button kind="plain" onClick={() => void ask()}>
          {messages.check}
        </Button>
      )}
    </div>
  );
}
