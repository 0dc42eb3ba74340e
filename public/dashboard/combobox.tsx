import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Choice, findMatches } from './matching.js';
import { counted } from './words.js';

interface ComboboxProps {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
  /** The words for a value that the list lacks. */
  unlisted: string;
  choose: (value: string) => void;
}

/** No option: the focus is in the field alone. */
const NONE = -1;
const CLOSED = { isOpen: false, typed: undefined as string | undefined, active: NONE };

/**
 * A field with a list that what is typed makes shorter: the combobox of the ARIA practices, as list autocomplete with
 * manual selection. Enter without a marked option takes the first: no other text means anything here.
 */
export function Combobox({ name, label, value, choices, unlisted, choose }: ComboboxProps) {
  const [{ isOpen, typed, active }, setState] = useState(CLOSED);
  const matches = useMemo(() => findMatches(choices, typed ?? ''), [choices, typed]);
  const hasList = isOpen && matches.length > 0;
  const listId = `${name}-list`;
  const optionId = (at: number): string => `${name}-${at}`;
  const mark = (at: number): void => setState({ isOpen: true, typed, active: at });
  const take = (choice: Choice | undefined): void => {
    setState(CLOSED);
    if (choice !== undefined && choice.value !== value) choose(choice.value);
  };
  useEffect(() => {
    if (active !== NONE) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const press = (event: KeyboardEvent): void => {
    const action = toAction(event, { active: hasList ? active : NONE, count: matches.length, isOpen });
    if (action === undefined) return;
    if (!action.isNative) event.preventDefault();
    if (action.to === 'take') take(matches[typed === undefined ? active : Math.max(active, 0)]);
    else if (action.to === 'close') setState(CLOSED);
    else mark(action.to);
  };
  return (
    <div class="picker combobox">
      <label for={name}>{label}</label>
      <input
        {...{ id: name, name, type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: false }}
        value={typed ?? choices.find((choice) => choice.value === value)?.words ?? unlisted}
        aria-autocomplete="list"
        aria-expanded={hasList}
        aria-controls={listId}
        aria-activedescendant={hasList && active !== NONE ? optionId(active) : undefined}
        onInput={({ currentTarget }) => setState({ isOpen: true, typed: currentTarget.value, active: NONE })}
        // The name that stands here goes when another one is typed.
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={({ currentTarget }) => {
          if (typed === undefined) currentTarget.select();
          mark(NONE);
        }}
        onKeyDown={press}
        onBlur={() => setState(CLOSED)}
      />
      {/* The focus stays in the field, also while the list is scrolled. */}
      <ul
        id={listId}
        role="listbox"
        aria-label={label}
        hidden={!hasList}
        onMouseDown={(event) => event.preventDefault()}
      >
        {hasList &&
          matches.map((choice, at) => (
            <li
              {...{ id: optionId(at), key: choice.value, role: 'option' }}
              class={choice.value === value ? 'chosen' : undefined}
              aria-selected={at === active}
              onClick={() => take(choice)}
            >
              {choice.words} <span class="quiet">{choice.note}</span>
            </li>
          ))}
      </ul>
      <p role="status" class={isOpen && !hasList ? 'none quiet' : 'visually-hidden'}>
        {isOpen && typed !== undefined && tellCount(matches, typed)}
      </p>
    </div>
  );
}

const tellCount = ([first, ...others]: Choice[], typed: string): string =>
  first === undefined
    ? `Nothing here is called ${typed}.`
    : `${counted(others.length + 1, 'match', 'matches')}. Enter takes ${first.words}.`;

interface Action {
  /** The option to mark, or what to do with the list. */
  to: number | 'take' | 'close';
  /** Whether the field does with the key what it always does, as well. */
  isNative?: boolean;
}

/** The action of a key; undefined for one that is for the field alone. */
function toAction(
  { key, altKey, isComposing }: KeyboardEvent,
  { active, count, isOpen }: { active: number; count: number; isOpen: boolean },
): Action | undefined {
  if (isComposing) return undefined;
  // Round the list, with the field between its ends.
  const step = (by: number): number => ((active + 1 + by + count + 1) % (count + 1)) - 1;
  const actions: Record<string, Action | undefined> = {
    ArrowDown: { to: altKey ? active : step(1) },
    ArrowUp: { to: altKey ? 'close' : step(-1) },
    // An open list takes it; a closed one opens. The form has no part in either.
    Enter: { to: isOpen ? 'take' : NONE },
    Escape: isOpen ? { to: 'close' } : undefined,
  };
  const movesInText = isOpen && ['Home', 'End', 'ArrowLeft', 'ArrowRight'].includes(key);
  return movesInText ? { to: NONE, isNative: true } : actions[key];
}
