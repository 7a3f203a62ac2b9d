import { unwrapBody, api } from '../../api/client';
import { messages as shared } from '../../ui/messages';
import { OfferMenu } from '../shared/offer-menu';
import { LinkDialog } from './link-dialog';
import { messages } from './messages';
import type { PaymentLink } from './queries';

export function LinkMenu({ link }: { readonly link: PaymentLink }) {
  const params = { path: { token: link.token } };
  const setActive = (is_active: boolean) =>
    unwrapBody(api.PATCH('/user/payment-links/{token}', { params, body: { is_active } }));
  return (
    <OfferMenu
      label={messages.actions(link.name)}
      listKey="payment-links"
      isActive={link.is_active}
      editDialog={(close) => <LinkDialog link={link} close={close} />}
      activate={{ label: messages.activate, run: () => setActive(true) }}
      deactivate={{
        label: messages.deactivate,
        title: messages.deactivateTitle,
        text: messages.deactivateText(link.name),
        run: () => setActive(false),
      }}
      remove={{
        label: shared.delete,
        title: messages.deleteTitle,
        text: messages.deleteText(link.name),
        dangerous: true,
        run: () => unwrapBody(api.DELETE('/user/payment-links/{token}', { params })),
      }}
    />
  );
}
