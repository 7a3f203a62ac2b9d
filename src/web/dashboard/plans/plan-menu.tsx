import { unwrapBody, api } from '../../api/client';
import { OfferMenu } from '../shared/offer-menu';
import { PlanDialog } from './plan-dialog';
import { messages } from './messages';
import type { Plan } from './queries';

export function PlanMenu({ plan }: { readonly plan: Plan }) {
  const params = { path: { uuid: plan.id } };
  return (
    <OfferMenu
      label={messages.actions(plan.name)}
      listKey="plans"
      isActive={plan.is_active}
      editDialog={(close) => <PlanDialog plan={plan} close={close} />}
      activate={{
        label: messages.activate,
        run: () => unwrapBody(api.PATCH('/user/plans/{uuid}', { params, body: { is_active: true } })),
      }}
      deactivate={{
        label: messages.deactivate,
        title: messages.deactivateTitle,
        text: messages.deactivateText(plan.name),
        dangerous: true,
        run: () => unwrapBody(api.DELETE('/user/plans/{uuid}', { params })),
      }}
    />
  );
}
