import { raw, type Statement } from '../sql.js';
import {
  localDays as localDaysText,
  stationDaysOfFacts as stationDaysText,
  STATIONS_OF_VERSION,
} from './facts.js';
import { LATEST_VERSION } from './question.js';

export const stationsOfVersion = (asOf: { version: number } | undefined): Statement =>
  raw(STATIONS_OF_VERSION, { version: asOf?.version ?? LATEST_VERSION });

export const localDays = (condition: Statement): Statement =>
  raw(localDaysText(condition.text), condition.params);

export const stationDaysOfFacts = (
  facts: Record<'forecasts' | 'observations' | 'stations' | 'localDays', Statement>,
): Statement =>
  raw(
    stationDaysText({
      forecasts: facts.forecasts.text,
      observations: facts.observations.text,
      stations: facts.stations.text,
      localDays: facts.localDays.text,
    }),
    Object.assign({}, ...Object.values(facts).map(({ params }) => params)) as Statement['params'],
  );
