import type { Page } from 'playwright-core';
import { registerDashboardCompany, type DashboardCompany } from '../../api/dashboard/dashboard-company';
import type { EngineApi } from '../../api/support/engine-api';
import { expectStatus } from '../../api/support/api-client';
import { rawCard } from '../../support/fixtures/payments';
import { FraudChargeback } from '../../support/stories/fraud-chargeback';
import { connectBank, paidPix, untilReturn } from '../../support/stories/pix-return';
import { openPath, revealSecondCharge } from './dashboard-views';
import type { StoryServers } from './story-servers';
import type { PageView, ViewContext } from './views';

/** The stories of the support runbook, each step before the next one. */
export function storyViews({ bank }: StoryServers): PageView[] {
  return [...fraudViews(), ...pixReturnViews(bank), ...secondChargeViews()];
}

const onDesktop = { devices: ['desktop'] } as const;

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

function fraudViews(): PageView[] {
  let opened: Promise<{ story: FraudChargeback; company: DashboardCompany; dispute: string }> | undefined;
  let lost: Promise<void> | undefined;
  const play = (api: EngineApi) =>
    (opened ??= (async () => {
      const company = await registerDashboardCompany(api, []);
      const card = rawCard('4000000000000010');
      const story = await FraudChargeback.renewThreeTimes({ api, ...company }, card);
      return { story, company, dispute: await story.open() };
    })());
  const playToTheEnd = async (api: EngineApi) => {
    const played = await play(api);
    await (lost ??= played.story.lose());
    return played;
  };
  return [
    {
      ...{ name: 'support-fraud-opened', ...onDesktop },
      open: async (page, { api }) => {
        const { company, dispute } = await play(api);
        await openPath(page, { api, company }, `/disputes/${dispute}`);
      },
    },
    {
      ...{ name: 'support-fraud-lost', ...onDesktop },
      open: async (page, { api }) => {
        const { company, dispute } = await playToTheEnd(api);
        await openPath(page, { api, company }, `/disputes/${dispute}`);
      },
    },
    {
      ...{ name: 'support-fraud-subscription', ...onDesktop, isLong: true },
      open: async (page, { api }) => {
        const { company, story } = await playToTheEnd(api);
        await openPath(page, { api, company }, `/subscriptions/${story.subscription.id}`);
        await panel(page, 'Disputes').waitFor();
      },
    },
    {
      ...{ name: 'support-fraud-ledger', ...onDesktop, part: (page) => panel(page, 'Ledger') },
      open: async (page, { api }) => {
        const { company, story } = await playToTheEnd(api);
        await openPath(page, { api, company }, `/payments/${story.disputed.transaction_id}`);
      },
    },
  ];
}

function pixReturnViews(bank: StoryServers['bank']): PageView[] {
  interface Played extends ViewContext {
    readonly dispute: string;
    readonly payment: string;
    readonly returnPart: () => Promise<void>;
  }
  let opened: Promise<Played> | undefined;
  let returned: Promise<void> | undefined;
  const play = (context: ViewContext) =>
    (opened ??= (async () => {
      const { api } = context;
      const company = await registerDashboardCompany(api, []);
      const merchant = { api, ...company };
      await connectBank(merchant, bank);
      const order = { amount: 89_000, merchant_order_id: 'order-3117' };
      const payment = await paidPix(merchant, bank, order);
      const { transaction_id: id } = payment;
      const { id: atBank } = await bank.control.openDispute(id, { kind: 'med' });
      const { id: dispute } = await untilReturn(merchant, payment, 'opened');
      const returnPart = async () => {
        await bank.control.changeDispute(atBank, { status: 'won', returned: 57_000 });
        await untilReturn(merchant, payment, 'lost');
      };
      return { ...context, company, dispute, payment: id, returnPart };
    })());
  const playToTheEnd = async (context: ViewContext) => {
    const played = await play(context);
    await (returned ??= played.returnPart());
    return played;
  };
  return [
    {
      ...{ name: 'support-pix-return-opened', ...onDesktop },
      open: async (page, context) => {
        const played = await play(context);
        await openPath(page, played, `/disputes/${played.dispute}`);
      },
    },
    {
      ...{ name: 'support-pix-return-decided', ...onDesktop },
      open: async (page, context) => {
        const played = await playToTheEnd(context);
        await openPath(page, played, `/disputes/${played.dispute}`);
      },
    },
    {
      ...{ name: 'support-pix-return-ledger', ...onDesktop, part: (page) => panel(page, 'Ledger') },
      open: async (page, context) => {
        const played = await playToTheEnd(context);
        await openPath(page, played, `/payments/${played.payment}`);
      },
    },
  ];
}

function secondChargeViews(): PageView[] {
  let revealed: Promise<{ company: DashboardCompany; difference: string }> | undefined;
  const play = (api: EngineApi) =>
    (revealed ??= (async () => {
      const company = await registerDashboardCompany(api, ['gateway_1']);
      return { company, difference: await revealSecondCharge({ api, company }) };
    })());
  return [
    {
      ...{ name: 'support-differences', ...onDesktop },
      open: async (page, { api }) => {
        const { company } = await play(api);
        await openPath(page, { api, company }, '/reconciliation/differences?status=open');
      },
    },
    {
      ...{ name: 'support-settle', ...onDesktop, isLong: true },
      open: async (page, { api }) => {
        const { company, difference } = await play(api);
        await openPath(page, { api, company }, `/reconciliation/differences/${difference}`);
        await page.getByRole('button', { name: 'Settle' }).click();
        const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' });
        await reason.fill(SETTLED_WITH);
      },
    },
    {
      ...{ name: 'support-reconciled', ...onDesktop, isLong: true },
      open: async (page, { api }) => {
        const { company } = await play(api);
        await settleAll(company);
        expectStatus(await company.byToken('updateOnboarding', { body: { dismissed: true } }), 200);
        await openPath(page, { api, company }, '/');
        await page.getByText(/^Reconciled to the cent until /).waitFor();
      },
    },
  ];
}

const SETTLED_WITH =
  'Second charge refunded on the pages of gateway_1 on the same day, refund re_5120. The customer knows. Reported to the gateway.';

async function settleAll({ byToken }: DashboardCompany): Promise<void> {
  const query = { status: 'open', per_page: 100 };
  const { data } = expectStatus(await byToken('listSettlementItems', { query }), 200).body;
  for (const { id } of data) {
    const request = { params: { id }, body: { reason: SETTLED_WITH } };
    expectStatus(await byToken('settleSettlementItem', request), 200);
  }
}
