import { Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { roleWords } from '../kit/role-words.ts';

const roles = {
  administrator: 'Everything, also the team, settings and transfers',
  developer: 'Reads everything. Endpoints, keys and test helpers, but moves no money',
  support:
    'Reads everything but secrets. Creates and cancels checkouts, refunds up to the limit on this page, and sends webhooks again',
  viewer: 'Reads everything but secrets, and changes nothing',
};

interface RoleChoiceProps {
  value: string;
  onChange: (role: string) => void;
}

export function RoleChoice({ value, onChange }: RoleChoiceProps): ReactNode {
  return (
    <Radio.Group label="Role" value={value} onChange={onChange}>
      <Stack gap={8} mt={6}>
        {Object.entries(roles).map(([role, what]) => (
          <Radio key={role} value={role} label={roleWords(role).label} description={what} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
