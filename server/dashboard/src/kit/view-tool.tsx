import { Button, Menu } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { lazily } from '../app/load-script.tsx';
import { Failure } from './failure.tsx';
import { Bookmark } from './icons.tsx';
import tools from './list-tools.module.css';
import { isolated } from './locale.ts';
import { notify } from './notices.tsx';
import { type SavedView, useApplyChange } from './saved-views.ts';
import { useServiceMutation } from './use-service-mutation.ts';

const ViewDialog = lazily(async () => (await import('./view-dialog.tsx')).ViewDialog);

interface ViewToolProps {
  list: string;
  /** The views of the list. */
  views: readonly SavedView[];
  /** The saved view that the list shows. */
  shown: SavedView | undefined;
  /** What a new view would show. Undefined for a list as it is without any choice of the user. */
  query: string | undefined;
}

export function ViewTool({ list, views, shown, query }: ViewToolProps): ReactNode {
  const [named, setNamed] = useState<{ before: SavedView | null; query: string } | null>(null);
  return (
    <>
      {shown && <ViewMenu shown={shown} onRename={() => setNamed({ before: shown, query: shown.query })} />}
      {!shown && query !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Bookmark size={14} aria-hidden />}
          onClick={() => setNamed({ before: null, query })}
        >
          Save view
        </Button>
      )}
      <Suspense>{named && <ViewDialog {...{ list, views }} {...named} onClose={() => setNamed(null)} />}</Suspense>
    </>
  );
}

/** Choice: deleting asks for no confirmation, because the notice can undo it. */
function ViewMenu({ shown, onRename }: { shown: SavedView; onRename: () => void }): ReactNode {
  const apply = useApplyChange();
  const { list, name } = shown;
  const deleting = useServiceMutation({
    mutate: () => apply({ list, name, to: null }),
    changes: ['audit'],
    onAnswer: () =>
      void notify(`The view ${isolated(name)} is deleted`, async () => {
        await apply({ list, name, to: shown });
        return `The view ${isolated(name)} is back`;
      }),
  });
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Bookmark size={14} aria-hidden />}
            loading={deleting.isBusy}
          >
            View
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onRename}>Rename view</Menu.Item>
          <Menu.Item onClick={() => deleting.mutate(null)}>Delete view</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {deleting.error && (
        <div className={tools.failure}>
          <Failure error={deleting.error} onTryAgain={deleting.again} />
        </div>
      )}
    </>
  );
}
