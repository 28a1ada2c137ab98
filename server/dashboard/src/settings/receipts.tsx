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
          <Section title="Receipts" about="Mails to your customers about their payments and refunds.">
            <DeliveryNote {...present} />
            <ReceiptsForm settings={present} />
          </Section>
          <Section title="What customers get">
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
      <Callout tone="warn" title="This service sends no mails">
        Its operator has set no mail server. Your setting is saved and takes effect as soon as there is one.
      </Callout>
    );
  }
  if (mailDelivery !== 'mailbox') return null;
  return (
    <Callout tone="plain" title="This service is a demo and keeps its mails">
      <Text size="sm">
        No mail leaves it. Read the mails, also those of test mode, in{' '}
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
      void notify(saved.sendReceipts ? 'Saved. Customers get mails.' : 'Saved. Customers get no mails.');
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <form onSubmit={form.onSubmit((typed) => saving.mutate(typed))}>
      <Stack gap="sm" maw={520}>
        <ReadOnlyNote what="change it" operations={['updateSettings']} />
        <Checkbox
          label="Send mails to customers"
          description={
            <>
              A checkout that is created with <Code fz="inherit">receipt: false</Code> sends none.
            </>
          }
          disabled={!mayChange || saving.isBusy}
          {...form.getInputProps('sendReceipts', { type: 'checkbox' })}
        />
        <TextInput
          label="Email for replies"
          description="Customers who reply to a mail write to this address. Without one, they write to the address of this service."
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
          [
            'Language',
            'That of the page on which the customer paid: Arabic, English, French, German, Portuguese or Spanish',
          ],
          ['Look', 'Your name, logo and colour'],
          ['Test mode', mailDelivery === 'mailbox' ? 'Into the mailbox of the demo' : 'No mails'],
        ]}
      />
      <List size="sm" spacing={4}>
        <List.Item>
          <strong>Receipt</strong>, when a payment is completed: the items, the total, the card, the reference and a
          link
        </List.Item>
        <List.Item>
          <strong>Refund has begun</strong>, if the payment processor needs time for it
        </List.Item>
        <List.Item>
          <strong>Refund is complete</strong>, when the payment processor has sent the money
        </List.Item>
        <List.Item>
          <strong>Refund has failed</strong>, if an earlier mail told the customer about the refund
        </List.Item>
      </List>
    </>
  );
}
