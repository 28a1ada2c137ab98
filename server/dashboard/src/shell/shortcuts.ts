import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { accountPage, pageGroupsFor, type ShellPage } from './pages.ts';

const offKey = 'tillhook-shortcuts';
const sequenceMs = 1_500;

/**
 * People who dictate may switch the shortcuts of letters off.
 * See docs/decisions/dashboard.md, "Shortcuts of letters can be switched off".
 */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(offKey) !== 'off';
  } catch {
    return true;
  }
}

export function switchShortcuts(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, 'off');
  } catch {
    // Without storage, the shortcuts stay as they are.
  }
}

export function pagesWithKeys(role: string): readonly ShellPage[] {
  return [...pageGroupsFor(role).flat(), accountPage];
}

/** `?` opens the help, `g` with the letter of a page opens this page, and `j` and `k` walk through the rows of a list. */
export function useShortcuts(onHelp: () => void): void {
  const mode = useMode();
  const navigate = useNavigate();
  const { user } = useSession();
  const press = useEffectEvent((key: string, isAfterG: boolean): boolean => {
    const page = isAfterG ? pagesWithKeys(user.role).find((one) => one.key === key) : undefined;
    if (page) void navigate({ to: page.to, params: { mode } });
    else if (key === '?') onHelp();
    else if (!isAfterG && (key === 'j' || key === 'k')) walkRows(key === 'j' ? 1 : -1);
    else return false;
    return true;
  });
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForOthers(event) || !areShortcutsOn()) return;
      if (press(event.key, event.timeStamp - pressedG < sequenceMs)) event.preventDefault();
      pressedG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Enter then opens the record, because the link of the row has the focus. */
function walkRows(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main [role=cell]:first-child > a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
}

/** Fields, lists and menus read letters themselves, and a dialog stays open until the user closes it. */
function isForOthers({ target, ctrlKey, metaKey, altKey, repeat, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return true;
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=menu]');
  return Boolean(isField) || document.querySelector('[role=dialog]') !== null;
}
