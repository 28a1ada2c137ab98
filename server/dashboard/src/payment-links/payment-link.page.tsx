import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import type { Payment, PaymentLink } from '@tillhook/sdk/session';
import { type ReactNode, Suspense } from 'react';
import { lazily } from '../app/load-script.tsx';
import { paged } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode } from '../app/use-tillhook.ts';
import { ChangeButton } from '../kit/change-button.tsx';
import { Columns } from '../kit/columns.tsx';
import { Copy } from '../kit/copy.tsx';
import type { Column } from '../kit/data-table.tsx';
import { Empty } from '../kit/empty.tsx';
import { type Field, FieldList } from '../kit/field-list.tsx';
import { ExternalLink } from '../kit/icons.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Loaded } from '../kit/loaded.tsx';
import { isolated } from '../kit/locale.ts';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { MetadataOf } from '../kit/metadata-of.tsx';
import { ExactMoment, Moment } from '../kit/moment.tsx';
import { Money } from '../kit/money.tsx';
import { Page } from '../kit/page.tsx';
import { plural } from '../kit/plural.ts';
import { RecordList } from '../kit/record-list.tsx';
import { Section } from '../kit/section.tsx';
import { StatusBadge } from '../kit/status-badge.tsx';
import { PaymentStatus } from '../payments/payment-status.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { limitsOf, ProductOf } from './link-price.tsx';

const LinkQr = lazily(async () => (await import('./link-qr.tsx')).LinkQr);

export function PaymentLinkPage(): ReactNode {
  const { id } = useParams({ from: '/$mode/payment-links/$id' });
  const mode = useMode();
  const link = useRead({
    key: ['payment-links', id],
    read: (tillhook, options) => tillhook.paymentLinks.get(id, options),
    isLive: true,
  });
  return (
    <Page
      title={link.data?.name ?? 'Payment link'}
      windowTitle={link.data ? `${link.data.name} · Payment links` : 'Payment links'}
      back={
        <AnchorLink to="/$mode/payment-links" params={{ mode }}>
          Payment links
        </AnchorLink>
      }
      beside={link.data && <StatusBadge status={link.data.status} />}
      actions={link.data && <LinkActions link={link.data} />}
      about={<ReadOnlyNote what="change this payment link" operations={['updatePaymentLink']} />}
    >
      <Loaded read={link}>{(found) => <Columns main={<Main link={found} />} side={<Side link={found} />} />}</Loaded>
    </Page>
  );
}

function LinkActions({ link }: { link: PaymentLink }): ReactNode {
  const [isEditing, { open, close }] = useDisclosure();
  const mayChange = useMayCall('updatePaymentLink');
  return (
    <>
      {mayChange && <StopButton link={link} />}
      {mayChange && (
        <Button variant="default" onClick={open}>
          Edit
        </Button>
      )}
      <Button
        component="a"
        variant="default"
        leftSection={<ExternalLink size={16} aria-hidden />}
        href={link.url}
        target="_blank"
        rel="noreferrer"
      >
        Open
      </Button>
      <CopyButton value={link.url}>
        {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy link'}</Button>}
      </CopyButton>
      <LinkDialog link={link} isOpen={isEditing} onClose={close} />
    </>
  );
}

function StopButton({ link: { id, name, isActive } }: { link: PaymentLink }): ReactNode {
  if (isActive) {
    return (
      <ChangeButton
        label="Stop"
        title={`Stop ${isolated(name)}`}
        submitLabel="Stop link"
        change={(tillhook) => tillhook.paymentLinks.update(id, { isActive: false })}
        changes={['payment-links']}
      >
        Customers who open the link see that it is no longer in use. A customer who is already on the payment page can
        still pay for an hour. You can start the link again.
      </ChangeButton>
    );
  }
  return (
    <ChangeButton
      label="Start again"
      title={`Start ${isolated(name)} again`}
      submitLabel="Start link"
      change={(tillhook) => tillhook.paymentLinks.update(id, { isActive: true })}
      changes={['payment-links']}
    >
      Customers who open the link can pay again.
    </ChangeButton>
  );
}

function Main({ link }: { link: PaymentLink }): ReactNode {
  const { completedPayments, completedAmount, currency } = link;
  return (
    <>
      <Group gap="sm" align="baseline">
        <Text size="2rem" fw={600} lh={1.2}>
          <Money amount={completedAmount} currency={currency} />
        </Text>
        <Text c="dimmed">
          {plural(completedPayments, { one: 'from 1 payment', other: `from ${completedPayments} payments` })}
        </Text>
      </Group>
      <Section
        title="Payments"
        isBare
        actions={
          completedPayments > 0 && (
            <AnchorLink to="/$mode/payments" params={{ mode: link.mode }} search={{ paymentLinkId: link.id }}>
              See its payments
            </AnchorLink>
          )
        }
      >
        <PaymentsOf link={link} />
      </Section>
    </>
  );
}

function Side({ link }: { link: PaymentLink }): ReactNode {
  return (
    <>
      <Section title="Share">
        <Stack gap="md">
          <Copy value={link.url} what="link" />
          <Suspense fallback={<div style={{ height: '11rem' }} />}>
            <LinkQr url={link.url} fileName={link.slug} />
          </Suspense>
        </Stack>
      </Section>
      <Section title="Details">
        <FieldList fields={fieldsOf(link)} />
      </Section>
      <Section title="Metadata" about="Each payment of the link gets a copy.">
        <MetadataOf metadata={link.metadata} />
      </Section>
    </>
  );
}

function fieldsOf(link: PaymentLink): Field[] {
  const { amount, currency, productId, suggestedAmount, description, expiresAt, maxPayments, callbackUrl } = link;
  return [
    ['Amount', amount === null ? null : <Money key="amount" amount={amount} currency={currency} />],
    ['Amount', amount !== null || productId !== null ? null : limitsOf(link)],
    [
      'Suggested amount',
      suggestedAmount === null ? null : <Money key="suggested" amount={suggestedAmount} currency={currency} />,
    ],
    ['Product', productId === null ? null : <ProductOf key="product" link={link} />],
    ['Description', description === null ? null : <bdi key="description">{description}</bdi>],
    ['Expires', expiresAt === null ? 'Never' : <ExactMoment key="expires" at={expiresAt} />],
    ['Maximum number of payments', maxPayments === null ? 'Any number' : String(maxPayments)],
    ['Return URL', callbackUrl === null ? null : <bdi key="callback">{callbackUrl}</bdi>],
    ['Created', <ExactMoment key="created" at={link.createdAt} />],
    ['ID', <Copy key="id" value={link.id} what="ID" />],
  ];
}

function PaymentsOf({ link: { id } }: { link: PaymentLink }): ReactNode {
  const { page = 1 } = useSearch({ from: '/$mode/payment-links/$id' });
  const query = { paymentLinkId: id, ...paged({ page }) };
  const payments = useRead({
    key: ['payments', query],
    read: (tillhook, options) => tillhook.payments.list(query, options),
    isLive: true,
    keepsPrevious: true,
  });
  return (
    <RecordList
      name="link-payments"
      label="Payments"
      read={payments}
      listOf={({ payments: rows, total }) => ({ rows, total })}
      columns={columns}
      keyOf={(payment) => payment.id}
      marksNew
      empty={
        <Empty title="No payments yet">
          A payment appears here when a customer enters an email address on the page of the link.
        </Empty>
      }
    />
  );
}

const columns: Column<Payment>[] = [
  { title: 'Customer', onPhone: 'who', cell: (payment) => <PaymentOf payment={payment} /> },
  { title: 'Amount', isNumber: true, isNarrow: true, onPhone: 'lead', cell: (payment) => <Money {...payment} /> },
  { title: 'Status', isNarrow: true, onPhone: 'state', cell: (payment) => <PaymentStatus payment={payment} /> },
  { title: 'Created', isNarrow: true, onPhone: 'when', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function PaymentOf({ payment: { customerEmail, reference, mode } }: { payment: Payment }): ReactNode {
  return (
    <AnchorLink to="/$mode/payments/$reference" params={{ mode, reference }}>
      <bdi>{customerEmail}</bdi>
    </AnchorLink>
  );
}
