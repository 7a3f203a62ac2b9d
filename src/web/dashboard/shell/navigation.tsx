import { createLink } from '@tanstack/react-router';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import Gauge from 'lucide-react/icons/gauge';
import Link from 'lucide-react/icons/link';
import Network from 'lucide-react/icons/network';
import Package from 'lucide-react/icons/package';
import ReceiptText from 'lucide-react/icons/receipt-text';
import Repeat from 'lucide-react/icons/repeat';
import Scale from 'lucide-react/icons/scale';
import ScrollText from 'lucide-react/icons/scroll-text';
import Server from 'lucide-react/icons/server';
import Settings from 'lucide-react/icons/settings';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import Contact from 'lucide-react/icons/contact';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import type { AnchorHTMLAttributes } from 'react';
import { useMe } from '../session';
import { messages } from './messages';
import classes from './shell.module.css';

const NavigationLink = createLink(function NavigationLink(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...props} className={classes.link} />;
});

const PAGES = [
  { to: '/', label: messages.overview, Icon: Gauge },
  { to: '/payments', label: messages.payments, Icon: ArrowLeftRight },
  { to: '/disputes', label: messages.disputes, Icon: Scale },
  { to: '/reconciliation', label: messages.reconciliation, Icon: ReceiptText },
  { to: '/subscriptions', label: messages.subscriptions, Icon: Repeat },
  { to: '/customers', label: messages.customers, Icon: Contact },
  { to: '/payment-links', label: messages.paymentLinks, Icon: Link },
  { to: '/plans', label: messages.plans, Icon: Package },
  { to: '/coupons', label: messages.coupons, Icon: TicketPercent },
  { to: '/gateways', label: messages.gateways, Icon: Network },
  { to: '/webhooks', label: messages.webhooks, Icon: Webhook },
  { to: '/team', label: messages.team, Icon: Users },
  { to: '/settings', label: messages.settings, Icon: Settings },
  { to: '/audit', label: messages.audit, Icon: ScrollText },
] as const;

/** For the operators of the deployment. */
const SYSTEM = { to: '/system', label: messages.system, Icon: Server } as const;

export function Navigation({ onChoice: onNavigate }: { readonly onChoice: () => void }) {
  const { operator: isOperator } = useMe();
  const pages = isOperator ? [...PAGES, SYSTEM] : PAGES;
  return pages.map(({ to, label, Icon }) => (
    <NavigationLink
      key={to}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      onClick={onNavigate}
    >
      <Icon size={18} aria-hidden />
      {label}
    </NavigationLink>
  ));
}
