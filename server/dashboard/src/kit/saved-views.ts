import { useQueryClient } from '@tanstack/react-query';
import { useMatch, useRouter } from '@tanstack/react-router';
import type { SavedView } from '@tillhook/sdk/session';
import { readAddress, writeAddress } from '../app/search.ts';
import { useRead } from '../app/use-read.ts';
import { useMode, useTillhook } from '../app/use-tillhook.ts';

export type { SavedView };

/**
 * What a list shows, apart from its page. Equal lists have equal queries.
 * See docs/decisions/dashboard.md, "A saved view is the query of a URL".
 */
export function queryOf({ page: _page, ...shown }: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(shown).sort(([one], [other]) => (one < other ? -1 : 1));
  return writeAddress(Object.fromEntries(sorted)).slice(1);
}

export function useSavedViews(list: string, isOn: boolean): SavedView[] {
  const { data } = useRead({
    key: ['preferences'],
    read: (tillhook, options) => tillhook.user.getPreferences(options),
    isEnabled: isOn,
  });
  // During an upgrade, a process of the previous release answers without `views`.
  const views: readonly SavedView[] | undefined = data?.views;
  return views?.filter((view) => view.list === list) ?? [];
}

/** Returns the view that a list with this query shows. */
export function useShownView(views: readonly SavedView[], query: string): SavedView | undefined {
  const filtersOf = useFiltersOf();
  return views.find((view) => queryOf(filtersOf(view)) === query);
}

/**
 * Returns a function that reads the filters of a view for the page that is shown. The router does not check the filters
 * of a link, and the page may have other filters than when the view was saved.
 */
export function useFiltersOf(): (view: SavedView) => Record<string, unknown> {
  const { routesById } = useRouter();
  const { routeId } = useMatch({ strict: false });
  const read = routesById[routeId].options.validateSearch as ReadSearch | undefined;
  return ({ query }) => read?.(readAddress(query)) ?? {};
}

type ReadSearch = (raw: Record<string, unknown>) => Record<string, unknown>;

export interface ViewChange {
  list: string;
  /** The present name of the view. A list has no two views with the same name. */
  name: string;
  /** Null deletes the view. */
  to: Pick<SavedView, 'name' | 'query'> | null;
}

/** Changes one view of the newest list, because the user may have changed others in another window. */
export function useApplyChange(): (change: ViewChange) => Promise<void> {
  const [mode, { user }, queryClient] = [useMode(), useTillhook(), useQueryClient()];
  return async (change) => {
    const { views } = await user.getPreferences();
    const saved = await user.updatePreferences({ views: changedBy(views, change) });
    queryClient.setQueryData([mode, 'preferences'], saved);
  };
}

function changedBy(views: readonly SavedView[], { list, name, to }: ViewChange): SavedView[] {
  const isChanged = (view: SavedView) => view.list === list && view.name === name;
  if (!to) return views.filter((view) => !isChanged(view));
  const changed = { list, ...to };
  const others = views.filter((view) => isChanged(view) || view.list !== list || view.name !== to.name);
  return others.some(isChanged) ? others.map((view) => (isChanged(view) ? changed : view)) : [...others, changed];
}
