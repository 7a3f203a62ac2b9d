import type { Schema } from '../../../api/client';
import { catalogue, language } from '../../../ui/language';
import { unsupportedLabels } from '../../routing/unsupported-labels';
import type { Attempt } from '../attempt-labels';

type Reason = Schema<'RoutingReason'>;
type IgnoredReason = NonNullable<Reason['reason']>;
type Unavailable = Exclude<IgnoredReason, keyof typeof unsupportedLabels>;

const messages = catalogue({
  en: {
    order: (order: string) => `order ${order}`,
    platform: 'gateway of the platform',
    matched: (rule: string, name: string) => `rule ${rule} matched: ${name}`,
    share: (rule: string, name: string, percent: string) => `split of rule ${rule} (${name}): ${percent}%`,
    notNamed: (rule: string, name: string) => `not named by rule ${rule} (${name})`,
    declined: (gateway: string) => `next after ${gateway} declined`,
    failed: (gateway: string) => `next after ${gateway} failed`,
    notReceived: (gateway: string) => `next after ${gateway}, which never received the charge`,
    retried: 'retried: it never received the charge',
    requested: 'requested for the first attempt',
    circuits: (gateways: string) => `passed over because they were failing: ${gateways}`,
    allCircuits: 'all remaining gateways were failing',
    ignored: (gateway: string, reason: string) => `not first, as requested: ${gateway} ${reason}`,
    lackingData: (gateways: string) => `passed over for lack of data: ${gateways}`,
  },
  pt: {
    order: (order: string) => `ordem ${order}`,
    platform: 'gateway da plataforma',
    matched: (rule: string, name: string) => `a regra ${rule} corresponde: ${name}`,
    share: (rule: string, name: string, percent: string) => `divisão da regra ${rule} (${name}): ${percent}%`,
    notNamed: (rule: string, name: string) => `não citado pela regra ${rule} (${name})`,
    declined: (gateway: string) => `próximo depois que ${gateway} recusou`,
    failed: (gateway: string) => `próximo depois que ${gateway} falhou`,
    notReceived: (gateway: string) => `próximo depois de ${gateway}, que não recebeu a cobrança`,
    retried: 'repetido: ele não tinha recebido a cobrança',
    requested: 'pedido para a primeira tentativa',
    circuits: (gateways: string) => `deixados de lado porque estavam falhando: ${gateways}`,
    allCircuits: 'todos os gateways restantes estavam falhando',
    ignored: (gateway: string, reason: string) => `não foi primeiro, como pedido: ${gateway} ${reason}`,
    lackingData: (gateways: string) => `deixados de lado por falta de dados: ${gateways}`,
  },
});

const unavailableLabels: Readonly<Record<Unavailable, string>> = catalogue({
  en: {
    not_offered: 'is not offered',
    not_for_company: 'is not available to your company',
    no_credentials: 'has no credentials of your company',
    disabled: 'is disabled',
    sub_account_not_active: 'has a sub-account that is not active',
    circuit_open: 'failed repeatedly just then',
  },
  pt: {
    not_offered: 'não é oferecido',
    not_for_company: 'não está disponível para sua empresa',
    no_credentials: 'não tem credenciais da sua empresa',
    disabled: 'está desativado',
    sub_account_not_active: 'tem uma subconta que não está ativa',
    circuit_open: 'tinha falhado várias vezes pouco antes',
  },
});

/** Why a charge went to its gateway, in the user's language. Null if nothing is known in it. */
export function routingText({ routing_reasons: reasons, routing_reason: text }: Attempt): string | null {
  // Charges of before there were codes have a text in English only.
  if (reasons === null) return language === 'en' ? text : null;
  return reasons.map(reasonText).join('; ') || null;
}

function reasonText({ code, gateway, gateways, order, percent, reason, rule }: Reason): string {
  const slug = gateway ?? '';
  const list = (gateways ?? []).join(', ');
  const [number, name] = [String(rule?.number ?? ''), rule?.name ?? ''];
  switch (code) {
    case 'after_declined':
      return messages.declined(slug);
    case 'after_failed':
      return messages.failed(slug);
    case 'after_not_received':
      return messages.notReceived(slug);
    case 'retried':
      return messages.retried;
    case 'first_try':
      return messages.requested;
    case 'rule':
      return messages.matched(number, name);
    case 'share':
      return messages.share(number, name, String(percent ?? ''));
    case 'order': {
      const place = order === null ? messages.platform : messages.order(String(order));
      return rule === null ? place : `${place}, ${messages.notNamed(number, name)}`;
    }
    case 'circuits_open':
      return messages.circuits(list);
    case 'all_circuits_open':
      return messages.allCircuits;
    case 'first_try_ignored':
      return messages.ignored(slug, reason === null ? '' : ignoredLabels[reason]);
    case 'lacking_data':
      return messages.lackingData(list);
  }
}

const ignoredLabels: Readonly<Record<IgnoredReason, string>> = { ...unsupportedLabels, ...unavailableLabels };
