import { answerOf, api } from '../../api/client';
import { messages as shared } from '../../ui/messages';
import { OfferMenu } from '../shared/offer-menu';
import { LinkDialog } from './link-dialog';
import { messages } from './messages';
import type { PaymentLink } from './queries';

/** What can be done with a link. */
export function LinkMenu({ link }: { readonly link: PaymentLink }) {
  const params = { path: { token: link.token } };
  const turn = (is_active: boolean) =>
    answerOf(api.PATCH('/user/payment-links/{token}', { params, body: { is_active } }));
  return (
    <OfferMenu
      label={messages.actions(link.name)}
      shownBy="payment-links"
      isActive={link.is_active}
      dialog={(close) => <LinkDialog link={link} close={close} />}
      turnOn={{ label: messages.turnOn, act: () => turn(true) }}
      turnOff={{
        label: messages.turnOff,
        title: messages.turnOffTitle,
        about: messages.turnOffAbout(link.name),
        act: () => turn(false),
      }}
      remove={{
        label: shared.delete,
        title: messages.deleteTitle,
        about: messages.deleteAbout(link.name),
        dangerous: true,
        act: () => answerOf(api.DELETE('/user/payment-links/{token}', { params })),
      }}
    />
  );
}
