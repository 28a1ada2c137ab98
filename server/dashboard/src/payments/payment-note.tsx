import { Button, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { Payment } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useFieldErrors } from '../kit/field-problems.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Pencil } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { Section } from '../kit/section.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

const maxLength = 2_000;

export function PaymentNote({ payment }: { payment: Payment }): ReactNode {
  const { reference, note } = payment;
  const mayWrite = useMayCall('updatePayment');
  const [isOpen, { open, close }] = useDisclosure();
  const form = useForm({ initialValues: { note: note ?? '' } });
  const saving = useServiceMutation({
    mutate: ({ payments }, typed: string) => payments.update(reference, { note: typed.trim() || null }),
    changes: ['payments'],
    onAnswer: ({ note: saved }) => {
      close();
      void notify(saved === null ? 'Note removed.' : 'Note saved.');
    },
  });
  useFieldErrors(form, saving.error);
  const begin = () => {
    if (!saving.isLost) form.setValues({ note: note ?? '' });
    open();
  };
  if (!mayWrite && note === null) return null;
  return (
    <Section
      title="Note"
      actions={
        mayWrite && (
          <Button size="xs" variant="default" leftSection={<Pencil size={14} aria-hidden />} onClick={begin}>
            {note === null ? 'Add note' : 'Edit note'}
          </Button>
        )
      }
    >
      <Text
        size="sm"
        c={note === null ? 'dimmed' : undefined}
        dir="auto"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {note ?? 'Only your team can see notes.'}
      </Text>
      <FormDialog
        title="Note on this payment"
        isOpen={isOpen}
        onClose={close}
        mutation={saving}
        onSubmit={form.onSubmit((values) => saving.mutate(values.note))}
        submitLabel="Save"
      >
        <Textarea
          {...form.getInputProps('note')}
          label="Note"
          description="Only your team can see it."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={maxLength}
          dir="auto"
        />
      </FormDialog>
    </Section>
  );
}
