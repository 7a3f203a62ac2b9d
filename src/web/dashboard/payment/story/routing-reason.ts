import { catalogue } from '../../../ui/language';

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
  },
});

/** The parts of a routing reason as the service stores it (`src/domain/routing/routing-reason.ts`), and their texts. */
const PARTS: ReadonlyArray<readonly [RegExp, (...found: string[]) => string]> = [
  [
    /^order (\d+), not named by rule (\d+): (.*)$/,
    (order, rule, name) => `${messages.order(order ?? '')}, ${messages.notNamed(rule ?? '', name ?? '')}`,
  ],
  [
    /^platform gateway, not named by rule (\d+): (.*)$/,
    (rule, name) => `${messages.platform}, ${messages.notNamed(rule ?? '', name ?? '')}`,
  ],
  [/^order (\d+)$/, (order) => messages.order(order ?? '')],
  [/^platform gateway$/, () => messages.platform],
  [/^rule (\d+) matched: (.*)$/, (rule, name) => messages.matched(rule ?? '', name ?? '')],
  [
    /^split of rule (\d+): (.*): (\d+)%, (?:not )?selected$/,
    (rule, name, percent) => messages.share(rule ?? '', name ?? '', percent ?? ''),
  ],
  [/^next after (\w+) declined$/, (gateway) => messages.declined(gateway ?? '')],
  [/^next after (\w+) failed$/, (gateway) => messages.failed(gateway ?? '')],
  [/^next after (\w+), which never received the charge$/, (gateway) => messages.notReceived(gateway ?? '')],
  [/^retried: it never received the charge$/, () => messages.retried],
  [/^gateway_first_try$/, () => messages.requested],
  [/^circuits? of (.*) open$/, (gateways) => messages.circuits(gateways ?? '')],
  [/^all remaining circuits are open$/, () => messages.allCircuits],
];

/** A routing reason in the user's language. Parts that only the API tells are left out. */
export function routingText(reason: string | null): string | null {
  if (reason === null) return null;
  const parts = reason.split('; ').flatMap((part) => {
    const found = PARTS.find(([pattern]) => pattern.test(part));
    if (found === undefined) return [];
    const [pattern, text] = found;
    return [text(...(pattern.exec(part)?.slice(1) ?? []))];
  });
  return parts.join('; ') || null;
}
