import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { type ProcessorNeed, useLacksProcessor } from '../app/live-needs.ts';

interface FormButtonProps extends ButtonProps {
  /** In live mode, the service refuses the form while the operator has not set up this processor. */
  needs: ProcessorNeed;
  onClick: () => void;
}

/** Opens a form. While the form cannot work, the button is disabled and says why. */
export function FormButton({ needs, ...props }: FormButtonProps): ReactNode {
  const id = useId();
  if (!useLacksProcessor(needs)) return <Button {...props} />;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" id={id}>
        {lackWords[needs].title}
      </Text>
      <Button {...props} disabled aria-describedby={id} />
    </Group>
  );
}

export const lackWords = {
  payment_processor: {
    title: 'Live payments are not set up',
    text: 'The operator of this service has not set up a payment processor, so the service would refuse this form. Test mode works without one.',
  },
  payout_processor: {
    title: 'Live transfers are not set up',
    text: 'The operator of this service has not set up a payout processor, so the service would refuse this form. Test mode works without one.',
  },
};
