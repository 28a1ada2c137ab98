import { Checkbox, Kbd, Stack, Table } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { Dialog } from '../kit/dialog.tsx';
import { isApple } from './search.tsx';
import { areShortcutsOn, pagesWithKeys, switchShortcuts } from './shortcuts.ts';

export function KeyboardHelp({ onClose }: { onClose: () => void }): ReactNode {
  const { user } = useSession();
  const [areOn, setAreOn] = useState(areShortcutsOn);
  const toggle = (isOn: boolean) => {
    switchShortcuts(isOn);
    setAreOn(isOn);
  };
  const always: Shortcut[] = [
    [[isApple ? '⌘' : 'Ctrl', 'K'], 'Search for records, pages, settings, documentation and actions', ' '],
    [['Esc'], 'Close a dialog, a menu or the search'],
    [['←', '→'], 'Switch between tabs of a page', ' or '],
  ];
  const ofLetters: Shortcut[] = [
    [['?'], 'Show this help'],
    [['j', 'k'], 'Go to the next or the previous row of a list, and open it with Enter', ' or '],
    ...pagesWithKeys(user.role).map(({ key, label }): Shortcut => [['g', key], `Open ${label}`, ' then ']),
  ];
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="md">
        <Checkbox
          label="Letter shortcuts"
          description="Turn them off if you use dictation, because spoken words could trigger them. Saved in this browser."
          checked={areOn}
          onChange={({ currentTarget }) => toggle(currentTarget.checked)}
        />
        <ShortcutTable shortcuts={areOn ? [...always, ...ofLetters] : always} />
      </Stack>
    </Dialog>
  );
}

type Shortcut = [keys: readonly string[], what: string, between?: string];

function ShortcutTable({ shortcuts }: { shortcuts: readonly Shortcut[] }): ReactNode {
  return (
    <Table verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Keys</Table.Th>
          <Table.Th>Action</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shortcuts.map(([keys, what, between]) => (
          <Table.Tr key={what}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && between}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </Table.Td>
            <Table.Td>{what}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
