import {
  ArrowLeftRight,
  Code,
  CreditCard,
  House,
  Package,
  Radio,
  Send,
  Settings,
  ShieldCheck,
  Wallet,
  Webhook,
} from '../kit/icons.tsx';

export const pageGroups = [
  [{ to: '/$mode', label: 'Home', icon: House }],
  [
    { to: '/$mode/payments', label: 'Payments', icon: CreditCard },
    { to: '/$mode/transfers', label: 'Transfers', icon: ArrowLeftRight },
    { to: '/$mode/balances', label: 'Balances', icon: Wallet },
    { to: '/$mode/products', label: 'Products', icon: Package },
  ],
  [
    { to: '/$mode/webhooks', label: 'Webhooks', icon: Webhook },
    { to: '/$mode/deliveries', label: 'Deliveries', icon: Send },
    { to: '/$mode/events', label: 'Events', icon: Radio },
  ],
  [
    { to: '/$mode/developers', label: 'Developers', icon: Code },
    { to: '/$mode/settings', label: 'Settings', icon: Settings },
  ],
] as const;

export const operatorPage = { to: '/$mode/operator', label: 'Operator', icon: ShieldCheck } as const;

export type ShellPage = (typeof pageGroups)[number][number] | typeof operatorPage;

export function pageGroupsFor(role: string): (readonly ShellPage[])[] {
  return role === 'operator' ? [...pageGroups, [operatorPage]] : [...pageGroups];
}
