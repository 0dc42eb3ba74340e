import type { Random } from '../random.js';
import { type ClimateName, weatherOf } from './climate-feeds.js';

// Hours of the weather at the places of climate-feeds.ts, and how services write them. The mean winds and humidities are near those of
// climate normals. Speeds have a Weibull distribution of shape 1.9, as is usual over land; gusts are 1.3 to 1.9 times the wind. Reports
// are in whole knots: calm is below 3 kt in the USA (ASOS User's Guide) and below 1 kt elsewhere (ICAO Annex 3). China and Russia report
// whole m/s. A gust is reported where it is 10 kt above the lull, by ASOS from 14 kt on. The hours of three airports of New York in 2013
// (tidyverse/nycflights13) agree: each wind is a whole number of knots in mph, and none is between 0 and 3 kt.

/** The mean wind, m/s, and relative humidity, %, of a place. */
const AIR: Record<ClimateName, readonly [wind: number, humidity: number]> = {
  Singapore: [2.2, 84],
  Quito: [2, 75],
  Nairobi: [4, 65],
  'La Paz': [3, 50],
  Arica: [3, 70],
  Honolulu: [4.9, 65],
  Riyadh: [3.6, 25],
  Cherrapunji: [1.8, 85],
  Miami: [4.1, 72],
  Delhi: [2.2, 55],
  Lhasa: [1.9, 40],
  Phoenix: [2.7, 32],
  'Fuji summit': [11, 70],
  'Death Valley': [3, 25],
  Sydney: [4.5, 65],
  Chicago: [4.6, 70],
  Jungfraujoch: [7.5, 70],
  London: [4.1, 78],
  Ushuaia: [4.5, 75],
  Bergen: [3.5, 78],
  Yakutsk: [1.8, 70],
  Reykjavik: [5.7, 78],
  Longyearbyen: [5, 74],
  McMurdo: [5.5, 65],
  Vostok: [5, 65],
  // No mean wind of a year is above 19.4 m/s, nor below 0.8.
  'Cape Denison': [19.4, 65],
  Kerguelen: [9.7, 78],
  'Chiang Mai': [1, 70],
};

/** Mean winds of these places, m/s. */
export const windOf = (name: ClimateName): number => AIR[name][0];

export interface WeatherHour {
  at: string;
  /** °C. */
  temperature: number;
  dewPoint: number;
  /** Percent. */
  humidity: number;
  cloud: number;
  /** m/s. */
  wind: number;
  gust: number;
}

/** Magnus' formula: the dew point of a temperature and a relative humidity, °C and %. */
function computeDewPoint(temperature: number, humidity: number): number {
  const gamma = Math.log(humidity / 100) + (17.62 * temperature) / (243.12 + temperature);
  return (243.12 * gamma) / (17.62 - gamma);
}

const SHAPE = 1.9;
/** The mean of a Weibull distribution of this shape and scale 1. */
const MEAN_OF_SHAPE = 0.8874;

const bounded = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));
/** The share of a normal distribution below a value, nearly. */
const shareBelow = (value: number): number => 1 / (1 + Math.exp(-1.702 * value));

/** Some days of hours of a place, each after the other. */
export function hoursOf(random: Random, name: ClimateName, first: string, days: number): WeatherHour[] {
  const [meanWind, meanHumidity] = AIR[name];
  const [windiness, moisture, clouds] = [random.lasting(0.9), random.lasting(0.97), random.lasting(0.9)];
  return weatherOf(random, name, first, days).flatMap(({ date, high, low }) =>
    Array.from({ length: 24 }, (_, hour): WeatherHour => {
      const sun = Math.cos((2 * Math.PI * (hour - 15)) / 24);
      const temperature = (high + low) / 2 + ((high - low) / 2) * sun;
      const humidity = bounded(meanHumidity + 12 * moisture() - 1.5 * (high - low) * sun, 3, 100);
      const scale = (meanWind / MEAN_OF_SHAPE) * (1 + 0.25 * sun);
      const wind = scale * (-Math.log(1 - bounded(shareBelow(windiness()), 0, 0.9999))) ** (1 / SHAPE);
      return {
        at: `${date}T${`${hour}`.padStart(2, '0')}:00:00Z`,
        ...{ temperature, humidity, wind },
        dewPoint: computeDewPoint(temperature, humidity),
        cloud: bounded(50 + 60 * clouds(), 0, 100),
        gust: wind * (1.3 + 0.6 * random.next()),
      };
    }),
  );
}

/** One of a unit, m/s: a mile is 1,609.344 m, a nautical mile 1,852 m. */
export const SPEED_UNITS = { kt: 1852 / 3600, mph: 1609.344 / 3600, ms: 1, kmh: 1 / 3.6 } as const;
export type SpeedUnit = keyof typeof SPEED_UNITS;

/** Turns the wind and gust of an hour into those of a source, m/s; no gust where none is reported. */
export type Source = (hour: WeatherHour) => { wind: number; gust?: number };

const whole = (value: number, unit: SpeedUnit): number =>
  Math.round(value / SPEED_UNITS[unit]) * SPEED_UNITS[unit];

const report =
  (unit: SpeedUnit, calm: number, leastGust: number): Source =>
  ({ wind, gust }) => {
    const hasGust = gust >= leastGust * SPEED_UNITS.kt && gust - wind >= 5 * SPEED_UNITS.kt;
    return {
      wind: wind < calm * SPEED_UNITS.kt ? 0 : whole(wind, unit),
      ...(hasGust && { gust: whole(gust, unit) }),
    };
  };

const asos = report('kt', 2.5, 14);

const rounded =
  (perMetre: number): Source =>
  (hour) => {
    const { wind, gust } = asos(hour);
    const round = (speed: number): number => Math.round(perMetre * speed) / perMetre;
    return { wind: round(wind), ...(gust !== undefined && { gust: round(gust) }) };
  };

export const SOURCES = {
  asos,
  metar: report('kt', 0.5, 10),
  /** In whole m/s. */
  metre: report('ms', 0.5, 10),
  /** In tenths of m/s. */
  tenths: ({ wind, gust }) => ({ wind: Math.round(10 * wind) / 10, gust: Math.round(10 * gust) / 10 }),
  /** Whole knots that are rounded before they are converted: to 0.01 m/s by api.weather.gov, to 0.1 by the archive ISD. */
  twice: rounded(100),
  archive: rounded(10),
  model: ({ wind, gust }) => ({ wind, gust }),
} as const satisfies Record<string, Source>;
export type SourceName = keyof typeof SOURCES;
