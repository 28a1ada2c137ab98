import { Radio, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberRoles } from '../../../look/role-words.ts';

interface RoleChoiceProps {
  value: string;
  onChange: (role: string) => void;
}

export function RoleChoice({ value, onChange }: RoleChoiceProps): ReactNode {
  return (
    <Radio.Group label="Role" value={value} onChange={onChange}>
      <Stack gap={8} mt={6}>
        {Object.entries(memberRoles).map(([role, { label, inFull }]) => (
          <Radio key={role} value={role} label={label} description={inFull} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
