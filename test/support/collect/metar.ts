// Reports of airports in the form of the Federal Meteorological Handbook No. 1, chapter 12.

/** The values of a report: °C, where a whole body stands for tenths that a station does not send. */
export interface MetarValues {
  station_id: string;
  at_ms: number;
  body_c: number;
  tenths_c?: number | undefined;
  max_6h_c?: number | undefined;
  min_6h_c?: number | undefined;
  precip_in?: number | undefined;
  /** The groups of the sky. */
  sky: string;
  isCorrection?: boolean;
  /** A special has no pressure at sea level, and no amounts here. */
  isSpecial?: boolean;
}

/** A sign, 1 below zero, and three digits of tenths. */
const tenths = (celsius: number): string => {
  const size = Math.round(Math.abs(celsius) * 10);
  return `${celsius < 0 ? 1 : 0}${String(size).padStart(3, '0')}`;
};

const whole = (celsius: number): string =>
  `${celsius < 0 ? 'M' : ''}${String(Math.abs(celsius)).padStart(2, '0')}`;

/** A report as it is sent, with groups around the asked ones that are like them. */
export function metarText(values: MetarValues): string {
  const { station_id, at_ms, body_c, tenths_c, max_6h_c, min_6h_c, precip_in, sky } = values;
  const time = `${new Date(at_ms).toISOString().slice(8, 16).replace(/\D/g, '')}Z`;
  const body = [
    ...[station_id, time, values.isCorrection === true ? 'COR' : 'AUTO', '12012G20KT', '10SM'],
    ...[sky, `${whole(body_c)}/${whole(Math.floor(body_c) - 8)}`, 'A2992'],
  ];
  if (tenths_c === undefined) return body.join(' ');
  const day = [tenths(tenths_c + 9), tenths(tenths_c - 9)];
  const group = (letter: string, celsius: number | undefined): string[] =>
    celsius === undefined ? [] : [`${letter}${tenths(celsius)}`];
  const remarks = [
    ...['RMK', 'AO2', 'PK', 'WND', '12045/15'],
    ...(values.isSpecial === true ? [] : ['SLP128']),
    ...(precip_in === undefined ? [] : [`P${String(Math.round(precip_in * 100)).padStart(4, '0')}`]),
    ...['60010', '70015', `T${tenths(tenths_c)}${tenths(tenths_c - 8)}`],
    ...[...group('1', max_6h_c), ...group('2', min_6h_c), `4${day.join('')}`, '51012', '$'],
  ];
  return [...body, ...remarks].join(' ');
}
