import { Combobox, Kbd, Loader, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../ui/forms/error-messages';
import { choiceGroups, type ChoiceGroup, type SearchChoice } from './choices';
import { messages } from './messages';
import { searchQuery } from './queries';
import { SearchChoices } from './search-choices';
import classes from './search.module.css';

/** A pause in typing after which the service is asked. */
const TYPING_PAUSE_MS = 200;

/** Finds anything of the company, from any page: Ctrl-K or "/" lead here. */
export function SearchBox() {
  const [text, setText] = useState('');
  /** Enter was pressed before the results were there. */
  const [isAwaited, setAwaited] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const combobox = useCombobox();
  const { groups, asked, isCurrent, error } = useSearch(text);
  useHotkeys([['mod+K', () => input.current?.focus()]], []);
  useHotkeys([['/', () => input.current?.focus()]]);
  const open = (choice: SearchChoice) => {
    setText('');
    setAwaited(false);
    combobox.closeDropdown();
    input.current?.blur();
    void navigate(choice.target);
  };
  useEffect(() => {
    const [first] = groups.flatMap(({ choices }) => choices);
    if (!isCurrent || first === undefined) combobox.resetSelectedOption();
    else if (isAwaited) open(first);
    else combobox.selectFirstOption();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the others are made anew in each render
  }, [groups, isCurrent]);
  const choose = (key: string) => {
    const chosen = groups.flatMap(({ choices }) => choices).find((choice) => choice.key === key);
    if (chosen !== undefined) open(chosen);
  };
  const change = (entered: string) => {
    setText(entered);
    setAwaited(false);
    if (entered.trim() === '') combobox.closeDropdown();
    else combobox.openDropdown();
  };
  const state = { groups, asked, isCurrent, error };
  return (
    <search className={classes.search}>
      <Combobox
        store={combobox}
        onOptionSubmit={choose}
        withinPortal={false}
        position="bottom-start"
        middlewares={{ flip: false, shift: false }}
        classNames={{ dropdown: classes.dropdown }}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            ref={input}
            type="search"
            value={text}
            onChange={({ currentTarget: { value } }) => change(value)}
            onFocus={() => text.trim() !== '' && combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={({ key }) => key === 'Enter' && !isCurrent && setAwaited(true)}
            aria-label={messages.search}
            aria-keyshortcuts="Control+K /"
            placeholder={messages.hint}
            leftSection={asked !== '' && !isCurrent ? <Loader size={14} /> : <Search size={16} aria-hidden />}
            rightSection={text === '' ? <Shortcut /> : undefined}
            rightSectionWidth={text === '' ? 68 : 0}
            rightSectionPointerEvents="none"
            maxLength={255}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={asked === ''}>
          <SearchChoices groups={groups} empty={emptyText(state)} />
        </Combobox.Dropdown>
      </Combobox>
      <VisuallyHidden role="status">
        {combobox.dropdownOpened && asked !== '' ? statusText(state) : ''}
      </VisuallyHidden>
    </search>
  );
}

function Shortcut() {
  return (
    <Kbd size="xs" aria-hidden visibleFrom="md">
      {messages.shortcut}
    </Kbd>
  );
}

interface SearchState {
  readonly groups: readonly ChoiceGroup[];
  /** The text that is searched for; empty for none. */
  readonly asked: string;
  /** Whether the groups are what was found for the text. */
  readonly isCurrent: boolean;
  readonly error: unknown;
}

const NO_GROUPS: readonly ChoiceGroup[] = [];

function useSearch(entered: string): SearchState {
  const text = entered.trim();
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const query = searchQuery(settled);
  const { data, error, isPlaceholderData } = useQuery({ ...query, select: choiceGroups });
  if (text === '' || query.enabled !== true)
    return { groups: NO_GROUPS, asked: '', isCurrent: false, error: null };
  const isAnswered = (data !== undefined && !isPlaceholderData) || error !== null;
  return { groups: data ?? NO_GROUPS, asked: settled, isCurrent: settled === text && isAnswered, error };
}

function emptyText({ asked, isCurrent, error }: SearchState): {
  readonly title: string;
  readonly hint?: string;
} {
  if (error !== null) return { title: errorMessage(error) };
  return isCurrent ? { title: messages.none(asked), hint: messages.noneHint } : { title: messages.searching };
}

function statusText(state: SearchState): string {
  const count = state.groups.reduce((sum, { choices }) => sum + choices.length, 0);
  return count > 0 ? messages.found(count) : emptyText(state).title;
}
