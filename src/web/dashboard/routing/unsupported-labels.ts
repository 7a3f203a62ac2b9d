import type { Schema } from '../../api/client';
import { catalogue } from '../../ui/language';

type Unsupported = Schema<'RoutingSimulation'>['passed_over'][number]['reason'];

/** Why a gateway does not take a payment, after its name. */
export const unsupportedLabels: Readonly<Record<Unsupported, string>> = catalogue({
  en: {
    method: 'does not take this payment method',
    authorize_only: 'cannot authorize without capturing',
    currency: 'does not take this currency',
    recipients: 'does not hold every recipient',
    required_data: 'needs data that the payment lacks',
    no_cvv: 'needs the card’s security code',
    installments: 'does not take so many installments',
    pix_expires_in: 'cannot make the pix expire so',
    pix_payable_after_expiry: 'lets a pix be paid after it expired',
    billet_due_at: 'cannot make the boleto due then',
    splits: 'does not split payments',
    split_count: 'does not split among so many',
    split_flat: 'does not split by fixed amounts',
    split_remainder: 'does not split so',
    split_costs: 'does not divide the costs so',
    account_raw_cards: 'your account there does not take card numbers',
    account_pix: 'your account there has no pix',
    account_billet: 'your account there has no boletos',
    account_splits: 'your account there has no splits',
  },
  pt: {
    method: 'não aceita esta forma de pagamento',
    authorize_only: 'não autoriza sem capturar',
    currency: 'não aceita esta moeda',
    recipients: 'não tem todos os recebedores',
    required_data: 'precisa de dados que o pagamento não tem',
    no_cvv: 'precisa do código de segurança do cartão',
    installments: 'não aceita tantas parcelas',
    pix_expires_in: 'não faz o Pix expirar assim',
    pix_payable_after_expiry: 'deixa pagar um Pix depois de expirado',
    billet_due_at: 'não emite boleto com este vencimento',
    splits: 'não divide pagamentos',
    split_count: 'não divide entre tantos',
    split_flat: 'não divide por valores fixos',
    split_remainder: 'não divide assim',
    split_costs: 'não divide os custos assim',
    account_raw_cards: 'sua conta lá não aceita números de cartão',
    account_pix: 'sua conta lá não tem Pix',
    account_billet: 'sua conta lá não tem boleto',
    account_splits: 'sua conta lá não tem divisão',
  },
});
