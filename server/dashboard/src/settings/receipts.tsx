import { Anchor, Checkbox, Code, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';
import { useRead } from '../app/use-read.ts';
import { Callout } from '../kit/callout.tsx';
import { FieldList } from '../kit/field-list.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { Loaded } from '../kit/loaded.tsx';
import { ReadOnlyNote, useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { SaveRow } from '../kit/save-row.tsx';
import { Section } from '../kit/section.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import { ReceiptPreview } from './receipt-preview.tsx';

export function Receipts(): ReactNode {
  const settings = useRead({ key: ['settings'], read: (tillhook, options) => tillhook.settings.get(options) });
  return (
    <Loaded read={settings}>
      {(present) => (
        <>
          <Section title="Receipts" about="Emails to your customers about their payments and refunds.">
            <DeliveryNote {...present} />
            <ReceiptsForm settings={present} />
          </Section>
          <Section title="Customer emails">
            <Contents {...present} />
          </Section>
          <ReceiptPreview />
        </>
      )}
    </Loaded>
  );
}

function DeliveryNote({ mailDelivery }: Settings): ReactNode {
  if (mailDelivery === 'none') {
    return (
      <Callout tone="warn" title="This service sends no emails">
        Its operator has not set up a mail server. Your setting is saved and takes effect once there is one.
      </Callout>
    );
  }
  if (mailDelivery !== 'mailbox') return null;
  return (
    <Callout tone="plain" title="This is a demo that keeps its emails">
      <Text size="sm">
        No email is sent. Read the emails, including those of test mode, in{' '}
        <Anchor href={`${basePath}/mails`}>its mailbox</Anchor> on the computer that runs it.
      </Text>
    </Callout>
  );
}

const valuesOf = ({ sendReceipts, replyTo }: Settings) => ({ sendReceipts, replyTo: replyTo ?? '' });

function ReceiptsForm({ settings }: { settings: Settings }): ReactNode {
  const mayChange = useMayCall('updateSettings');
  const form = useForm({ initialValues: valuesOf(settings) });
  const saving = useServiceMutation({
    mutate: (tillhook, { sendReceipts, replyTo }: typeof form.values) =>
      tillhook.settings.update({ sendReceipts, replyTo: replyTo.trim() || null }),
    changes: ['settings', 'audit'],
    onAnswer: (saved) => {
      form.setInitialValues(valuesOf(saved));
      form.reset();
      void notify(saved.sendReceipts ? 'Saved. Customers get emails.' : 'Saved. Customers get no emails.');
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <form onSubmit={form.onSubmit((typed) => saving.mutate(typed))}>
      <Stack gap="sm" maw={520}>
        <ReadOnlyNote what="change it" operations={['updateSettings']} />
        <Checkbox
          label="Send emails to customers"
          description={
            <>
              Checkouts created with <Code fz="inherit">receipt: false</Code> send none.
            </>
          }
          disabled={!mayChange || saving.isBusy}
          {...form.getInputProps('sendReceipts', { type: 'checkbox' })}
        />
        <TextInput
          label="Reply-to email"
          description="Replies from customers go to this address. Without one, they go to the address of this service."
          placeholder="help@shop.example.com"
          inputMode="email"
          maxLength={254}
          disabled={!mayChange}
          readOnly={saving.isBusy}
          {...form.getInputProps('replyTo')}
          error={problems.replyTo}
        />
        {mayChange && (
          <SaveRow saving={saving} isChanged={form.isDirty()} isErrorShown={Object.keys(problems).length > 0} />
        )}
      </Stack>
    </form>
  );
}

function Contents({ name, replyTo, mailDelivery }: Settings): ReactNode {
  return (
    <>
      <FieldList
        fields={[
          ['From', <bdi key="from">{name}</bdi>],
          ['Replies go to', replyTo === null ? 'The address of this service' : <bdi key="to">{replyTo}</bdi>],
          ['Language', 'The language of the checkout page: Arabic, English, French, German, Portuguese or Spanish'],
          ['Branding', 'Your name, logo and colour'],
          ['Test mode', mailDelivery === 'mailbox' ? 'To the mailbox of the demo' : 'No emails'],
        ]}
      />
      <List size="sm" spacing={4}>
        <List.Item>
          <strong>Receipt</strong>, when a payment completes: the items, the total, the card, the reference and a link
        </List.Item>
        <List.Item>
          <strong>Refund started</strong>, if the payment processor needs time for it
        </List.Item>
        <List.Item>
          <strong>Refund completed</strong>, when the payment processor has sent the money
        </List.Item>
        <List.Item>
          <strong>Refund failed</strong>, if an earlier email announced the refund
        </List.Item>
      </List>
    </>
  );
}
