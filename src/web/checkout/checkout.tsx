import { Suspense, useEffect, type ReactNode } from 'react';
import { offer, offerOf } from './page-data';
import { Button } from './ui/button';
import classes from './checkout.module.css';
import { Company } from './summary/company';
import { DetailsForm } from './pay/details-form';
import { Ended } from './result/ended';
import { LoadFailure } from './load-failure';
import { messages } from './messages';
import { Done, loadLaterSteps, PayForm, PixPayment } from './later-steps';
import type { Session } from './session/session-api';
import { StageTitle } from './ui/stage-title';
import { Summary } from './summary/summary';
import { usePurchase, type Purchase } from './session/use-purchase';

export function Checkout() {
  const purchase = usePurchase();
  useEffect(() => {
    // Whoever shows a step sees the failure.
    loadLaterSteps().catch(() => undefined);
  }, []);
  useEffect(() => {
    document.title = offer === null ? messages.untitled : `${offer.name} · ${offer.company.name}`;
  }, []);

  return (
    <LoadFailure>
      <Suspense fallback={<Loading />}>
        <Stage purchase={purchase} />
      </Suspense>
    </LoadFailure>
  );
}

function Loading() {
  return (
    <SingleColumn>
      <p role="status" className={classes.loading}>
        <span className={classes.spinner} aria-hidden />
        <span className={classes.visuallyHidden}>{messages.loading}</span>
      </p>
    </SingleColumn>
  );
}

function Stage({ purchase }: { readonly purchase: Purchase }) {
  const { stage, isResumed } = purchase;
  switch (stage.kind) {
    case 'loading':
      return <Loading />;
    case 'details':
      return (
        <TwoColumns session={null}>
          <DetailsForm
            buyer={purchase.buyer}
            acceptsCoupons={offer?.accepts_coupons ?? false}
            needsDocument={offer?.document_required ?? true}
            shouldFocus={!isResumed}
            onSubmit={purchase.openSession}
          />
        </TwoColumns>
      );
    case 'payment':
      return (
        <TwoColumns session={stage.session}>
          <Buyer purchase={purchase} />
          <StageTitle shouldFocus={!isResumed}>{messages.payment}</StageTitle>
          {offer !== null && (
            <PayForm
              offer={offerOf(offer, stage.session)}
              session={stage.session}
              methods={stage.session.payment_methods}
              buyerName={purchase.buyer?.name ?? ''}
              pay={purchase.pay}
            />
          )}
        </TwoColumns>
      );
    case 'processing':
      return (
        <TwoColumns session={stage.session}>
          <Processing session={stage.session} purchase={purchase} />
        </TwoColumns>
      );
    case 'pix':
      return (
        <TwoColumns session={stage.session}>
          <PixPayment
            key={stage.pix.code}
            offer={offer && offerOf(offer, stage.session)}
            session={stage.session}
            pix={stage.pix}
            purchase={purchase}
          />
        </TwoColumns>
      );
    case 'done':
      return (
        <SingleColumn>
          <Done offer={offer && offerOf(offer, stage.session)} session={stage.session} purchase={purchase} />
        </SingleColumn>
      );
    case 'ended':
      return (
        <SingleColumn>
          <Ended problem={stage.problem} startOver={purchase.startOver} />
        </SingleColumn>
      );
  }
}

/** Summary beside the form; stacked on a phone. */
function TwoColumns({
  session,
  children,
}: {
  readonly session: Session | null;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.twoColumns}>
      <div className={classes.summaryColumn}>
        {offer !== null && <Summary offer={offerOf(offer, session)} session={session} />}
      </div>
      <main className={classes.formColumn}>
        <div className={classes.content}>{children}</div>
      </main>
    </div>
  );
}

function SingleColumn({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.singleColumn}>
      <header>{offer !== null && <Company company={offer.company} />}</header>
      <main className={classes.card}>{children}</main>
    </div>
  );
}

/** The buyer's details. They cannot be changed while the result of a payment is unknown. */
function Buyer({ purchase: { buyer, hasPending, changeDetails } }: { readonly purchase: Purchase }) {
  return (
    <div className={classes.buyer}>
      <p>{buyer === null ? messages.details : `${buyer.name} · ${buyer.email}`}</p>
      {!hasPending && (
        <button type="button" onClick={changeDetails} aria-label={messages.changeDetails}>
          {messages.change}
        </button>
      )}
    </div>
  );
}

function Processing({
  session,
  purchase: { isResumed, isPollingStopped, refresh },
}: {
  readonly session: Session;
  readonly purchase: Purchase;
}) {
  const [title, hint] =
    session.payment?.payment_method === 'pix'
      ? [messages.preparingPix, messages.preparingPixHint]
      : [messages.confirming, messages.confirmingHint];
  return (
    <div className={classes.processing}>
      {!isPollingStopped && <span className={classes.spinner} aria-hidden />}
      <StageTitle shouldFocus={!isResumed}>{title}</StageTitle>
      <p className={classes.muted} role="status">
        {isPollingStopped ? messages.confirmingLong : hint}
      </p>
      {isPollingStopped && (
        <Button kind="plain" onClick={() => void refresh()}>
          {messages.check}
        </Button>
      )}
    </div>
  );
}
