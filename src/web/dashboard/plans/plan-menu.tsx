import { answerOf, api } from '../../api/client';
import { OfferMenu } from '../shared/offer-menu';
import { PlanDialog } from './plan-dialog';
import { messages } from './messages';
import type { Plan } from './queries';

/** What can be done with a plan. */
export function PlanMenu({ plan }: { readonly plan: Plan }) {
  const params = { path: { uuid: plan.id } };
  return (
    <OfferMenu
      label={messages.actions(plan.name)}
      shownBy="plans"
      isActive={plan.is_active}
      dialog={(close) => <PlanDialog plan={plan} close={close} />}
      turnOn={{
        label: messages.activate,
        act: () => answerOf(api.PATCH('/user/plans/{uuid}', { params, body: { is_active: true } })),
      }}
      turnOff={{
        label: messages.deactivate,
        title: messages.deactivateTitle,
        about: messages.deactivateAbout(plan.name),
        dangerous: true,
        act: () => answerOf(api.DELETE('/user/plans/{uuid}', { params })),
      }}
    />
  );
}
