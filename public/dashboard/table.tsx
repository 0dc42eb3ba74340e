import type { Table } from './body.js';

interface DataTableProps extends Table {
  class: string;
  /** The column of the heads of rows. */
  head?: number;
  /** The column that the rows are in the order of. */
  sorted?: { at: number; isDescending: boolean };
}

/** A table that scrolls in its card; a group, as the card is the landmark, and may have the same name. */
export const DataTable = ({ caption, columns, rows, class: name, head = 0, sorted }: DataTableProps) => (
  <div class={name} tabIndex={0} role="group" aria-label={caption}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th
              scope="col"
              aria-sort={sorted?.at === at ? (sorted.isDescending ? 'descending' : 'ascending') : undefined}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>{cells.map((cell, at) => (at === head ? <th scope="row">{cell}</th> : <td>{cell}</td>))}</tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The meanings of the colours of the bias, each with its sign. */
export const Legend = ({ marks }: { marks: (readonly [colour: number, sign: string, words: string])[] }) => (
  <ul class="legend row quiet">
    {marks.map(([colour, sign, words]) => (
      <li>
        <span class={`chip bias-${colour}`} aria-hidden="true">
          {sign}
        </span>{' '}
        {words}
      </li>
    ))}
  </ul>
);
