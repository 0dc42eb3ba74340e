import type { ComponentChildren } from 'preact';

// The ways to choose: from a few, from many, and by a number.

export type Options = [value: string, words: ComponentChildren][];

interface ChoiceProps {
  name: string;
  value: string;
  options: Options;
  choose: (value: string) => void;
}

/** One of few; nothing where there is nothing to choose. */
export const Segments = ({ name, legend, value, options, choose }: ChoiceProps & { legend: string }) =>
  options.length > 1 && (
    <fieldset class={`segments ${name}`}>
      <legend>{legend}</legend>
      {options.map(([option, words]) => (
        <label>
          <input
            {...{ type: 'radio', name, value: option, checked: value === option }}
            onChange={() => choose(option)}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );

interface SelectProps extends ChoiceProps {
  /** The words for a value that the list lacks, which is added: the API will tell what is wrong with it. */
  unlisted?: string;
  /** The heading of an option: those of one stand together. */
  groupOf?: (value: string) => string;
}

export function Select({ name, value, options, unlisted = value, groupOf, choose }: SelectProps) {
  const write = (each: Options) =>
    each.map(([option, words]) => (
      <option value={option} selected={option === value}>
        {words}
      </option>
    ));
  return (
    <select name={name} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {groupOf === undefined
        ? write(options)
        : [...Map.groupBy(options, ([option]) => groupOf(option))].map(([label, each]) => (
            <optgroup label={label}>{write(each)}</optgroup>
          ))}
      {!options.some(([option]) => option === value) && write([[value, unlisted]])}
    </select>
  );
}

/** A list of the controls below its name. */
export const Picker = ({ label, more = false, ...of }: SelectProps & { label: string; more?: boolean }) => (
  <label class={more ? 'picker more' : 'picker'}>
    <span>{label}</span>
    <Select {...of} />
  </label>
);

interface DegreesProps {
  name: string;
  label: string;
  value: string;
  step?: '1' | 'any';
  choose: (value: string) => void;
}

export const Degrees = ({ label, step = '1', choose, ...given }: DegreesProps) => (
  <label>
    {label}{' '}
    <input
      {...{ type: 'number', min: -100, max: 150, required: true, step, ...given }}
      onChange={({ currentTarget }) => currentTarget.reportValidity() && choose(currentTarget.value)}
    />
  </label>
);
