import { Button, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { amountProblem, readAmount, writeAmount } from './amount.ts';
import type { Chosen, FilterField } from './filter-fields.ts';
import { fromLocal, inZone, toLocal } from './local-moment.ts';
import { type PeriodName, periodNames, periodWords } from './period.ts';

type Values = Readonly<Record<string, string | undefined>>;

interface EditorProps<Field = FilterField> {
  field: Field;
  chosen: Chosen<string>;
  onChange: (values: Values) => void;
  onClose: () => void;
}

type FieldOf<Kind extends FilterField['kind']> = Extract<FilterField, { kind: Kind }>;

export function FilterEditor({ field, ...props }: EditorProps): ReactNode {
  switch (field.kind) {
    case 'choice':
      return <ChoiceEditor field={field} {...props} />;
    case 'text':
      return <TextEditor field={field} {...props} />;
    case 'amount':
      return <AmountEditor field={field} {...props} />;
    case 'period':
      return <PeriodEditor field={field} {...props} />;
  }
}

/** As many options as fit below each other on a phone. */
const maxRadios = 12;

function ChoiceEditor({ field, chosen, onChange, onClose }: EditorProps<FieldOf<'choice'>>): ReactNode {
  const { label, options, names } = field;
  const [name = ''] = names;
  const value = String(chosen[name] ?? '');
  const choose = (to: string) => onChange({ [name]: to || undefined });
  if (options.length > maxRadios) {
    return (
      <NativeSelect
        label={label}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[{ value: '', label: 'Any' }, ...options]}
      />
    );
  }
  return <Choices label={label} value={value} options={options} onChange={choose} onPick={onClose} />;
}

interface ChoicesProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  /** Called for a click with the pointer: the arrow keys choose one option after the other, and do not end the choice. */
  onPick: (value: string) => void;
}

function Choices({ label, value, options, onChange, onPick }: ChoicesProps): ReactNode {
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            label={option.label}
            onClick={({ detail }) => detail > 0 && onPick(option.value)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function TextEditor({ field, chosen, onChange, onClose }: EditorProps<FieldOf<'text'>>): ReactNode {
  const { label, placeholder, read, problem, names } = field;
  const [name = ''] = names;
  const [typed, setTyped] = useState(String(chosen[name] ?? ''));
  const [isWrong, setIsWrong] = useState(false);
  const submit = () => {
    const text = typed.trim();
    const value = text ? read(text) : undefined;
    if (text && value === undefined) return setIsWrong(true);
    onChange({ [name]: value });
    onClose();
  };
  return (
    <EditorForm onSubmit={submit}>
      <TextInput
        label={label}
        value={typed}
        placeholder={placeholder}
        error={isWrong && problem}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
    </EditorForm>
  );
}

function AmountEditor({ field: { currency }, chosen, onChange, onClose }: EditorProps<FieldOf<'amount'>>): ReactNode {
  const held = (name: string) => (chosen[name] === undefined ? '' : writeAmount(Number(chosen[name]), currency));
  const [least, setLeast] = useState(held('minAmount'));
  const [most, setMost] = useState(held('maxAmount'));
  const [areShown, setAreShown] = useState(false);
  const problems = problemsOf(least, most, currency);
  const submit = () => {
    if (problems.least || problems.most) return setAreShown(true);
    onChange({ minAmount: minorUnits(least, currency), maxAmount: minorUnits(most, currency) });
    onClose();
  };
  return (
    <EditorForm onSubmit={submit}>
      <TextInput
        label={`Amount from (${currency})`}
        inputMode="decimal"
        value={least}
        placeholder={writeAmount(500_000, currency)}
        error={areShown && problems.least}
        onChange={({ currentTarget }) => setLeast(currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={`Amount to (${currency})`}
        inputMode="decimal"
        value={most}
        error={areShown && problems.most}
        onChange={({ currentTarget }) => setMost(currentTarget.value)}
      />
    </EditorForm>
  );
}

interface AmountProblems {
  least: string | null;
  most: string | null;
}

function problemsOf(least: string, most: string, currency: string): AmountProblems {
  const problemOf = (typed: string) => (typed.trim() ? amountProblem(typed, currency) : null);
  const problems = { least: problemOf(least), most: problemOf(most) };
  if (problems.least || problems.most || !least.trim() || !most.trim()) return problems;
  const isReversed = (readAmount(least, currency) ?? 0) > (readAmount(most, currency) ?? 0);
  return { least: isReversed ? 'The minimum is higher than the maximum.' : null, most: null };
}

function minorUnits(typed: string, currency: string): string | undefined {
  const amount = readAmount(typed, currency);
  return amount === null ? undefined : String(amount);
}

const ownRange = 'range';

function PeriodEditor({ field: { label }, chosen, onChange, onClose }: EditorProps<FieldOf<'period'>>): ReactNode {
  const isRange = chosen.from !== undefined || chosen.to !== undefined;
  const [choice, setChoice] = useState(String(chosen.period ?? (isRange ? ownRange : '')));
  const [from, setFrom] = useState(toLocal(String(chosen.from ?? '')));
  const [to, setTo] = useState(toLocal(String(chosen.to ?? '')));
  const [isReversed, setIsReversed] = useState(false);
  const choose = (value: string) => {
    setChoice(value);
    if (value !== ownRange) onChange({ period: value });
  };
  const submit = () => {
    const times = { from: fromLocal(from) || undefined, to: fromLocal(to) || undefined };
    if (times.from && times.to && times.from >= times.to) return setIsReversed(true);
    onChange(times);
    onClose();
  };
  const options = [
    ...periodNames.map((value: PeriodName) => ({ value, label: periodWords[value] })),
    { value: ownRange, label: 'Custom range' },
  ];
  return (
    <Stack gap="sm">
      <Choices
        label={label}
        value={choice}
        options={options}
        onChange={choose}
        onPick={(value) => value !== ownRange && onClose()}
      />
      {choice === ownRange && (
        <EditorForm onSubmit={submit}>
          <TextInput
            label={inZone('From')}
            type="datetime-local"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            label={inZone('To')}
            type="datetime-local"
            value={to}
            error={isReversed && 'The end must be later than the start.'}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </EditorForm>
      )}
    </Stack>
  );
}

function EditorForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }): ReactNode {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {children}
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Stack>
    </form>
  );
}
