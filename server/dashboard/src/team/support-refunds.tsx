import { Stack, Text } from '@mantine/core';
import type { Settings } from '@tillhook/sdk/session';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useRead } from '../app/use-read.ts';
import { amountProblem, readAmount, writeAmount } from '../kit/amount.ts';
import { AmountField } from '../kit/amount-fields.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { Loaded } from '../kit/loaded.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { Money } from '../kit/money.tsx';
import { notify } from '../kit/notices.tsx';
import { SaveRow } from '../kit/save-row.tsx';
import { Section } from '../kit/section.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

export function SupportRefunds(): ReactNode {
  const settings = useRead({ key: ['settings'], read: (tillhook, options) => tillhook.settings.get(options) });
  const mayChange = useMayCall('updateSettings');
  return (
    <Section title="Refunds by support" about="The most that a user with the role Support can refund in 24 hours.">
      <Loaded read={settings}>
        {(present) => (mayChange ? <LimitForm settings={present} /> : <Limit settings={present} />)}
      </Loaded>
    </Section>
  );
}

function Limit({ settings: { supportRefundLimit, currency } }: { settings: Settings }): ReactNode {
  return (
    <Text size="sm">
      {supportRefundLimit === null ? 'Nothing' : <Money amount={supportRefundLimit} currency={currency} />}
    </Text>
  );
}

function LimitForm({ settings }: { settings: Settings }): ReactNode {
  const { currency, supportRefundLimit } = settings;
  const kept = supportRefundLimit === null ? '' : writeAmount(supportRefundLimit, currency);
  const [typed, setTyped] = useState(kept);
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useServiceMutation({
    mutate: (tillhook, limit: number | null) => tillhook.settings.update({ supportRefundLimit: limit }),
    changes: ['settings', 'audit'],
    onAnswer: () => void notify('Limit saved'),
  });
  const problems = fieldProblems(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim();
    const wrong = text === '' ? null : amountProblem(text, currency);
    setProblem(wrong);
    if (!wrong && !saving.isBusy) saving.mutate(text === '' ? null : readAmount(text, currency));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={380}>
        <AmountField
          label={`Limit in ${currency}`}
          description="Leave empty for no refunds. Only administrators can refund payments in other currencies."
          value={typed}
          onChange={({ currentTarget }: { currentTarget: HTMLInputElement }) => setTyped(currentTarget.value)}
          error={problem ?? problems.supportRefundLimit}
        />
        <SaveRow
          saving={saving}
          isChanged={typed.trim() !== kept}
          label="Save limit"
          isErrorShown={problems.supportRefundLimit !== undefined}
        />
      </Stack>
    </form>
  );
}
