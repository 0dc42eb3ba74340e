import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LEDGER_NAMES } from '../../../src/variables/variables.js';
import { addDays, getRegion } from '../address.js';
import { getProviders, type Responses } from '../api.js';
import { Frozen } from '../frozen.js';
import { intervalWords } from '../intervals.js';
import { isOfOneResponse } from '../message.js';
import { type Page, findStation, loadSummary, toChanceRequest, useResponse, usePage } from '../page.js';
import { PanelError } from '../panel.js';
import { isOffered, published } from '../published.js';
import {
  describeCases,
  describeFreshness,
  describeLack,
  describeLean,
  describeLeads,
  describeRain,
  describeVariable,
  describeWetShare,
  findUsualBin,
  type LatestDay,
  makeHeadline,
} from '../sentences.js';
import { score } from '../score.js';
import { Term } from '../term.js';
import { getChance, getScore } from '../variables.js';
import { counted, day, number, percent, regionWords, signed, valueUnit, whole } from '../words.js';
import { byDateParameters } from './by-date.js';
import { getStep } from './declarations.js';

type Summary = Responses['accuracy/summary'];

/** The result in one sentence, what it means, and its details. */
export function Headline({ showReady, isDetailed }: HeadlineProps) {
  const page = usePage();
  const { params, load, fail, reload, announce } = page;
  // Without the list of stations the response has the name that the request has.
  const name = async (): Promise<string> => (await findStation(page).catch(() => undefined))?.city_name ?? '';
  const { response, error, isBusy } = useResponse(async () => {
    const [summary, bin, of] = await Promise.all([
      loadSummary(page),
      loadBin(page),
      params.station_id === '' ? '' : name(),
    ]);
    return { summary, bin, of: of || params.station_id };
  }, page.hasUnit);
  const isKnown = response !== undefined && !isBusy;
  // The numbers do not wait for the list, which names the only station.
  const only = useResponse(name, isKnown);
  const freshness = useResponse(() => latestDay(page), isKnown && isDetailed);
  const stationName = response?.of || (!only.isBusy && only.response) || '';
  const sentence = response && makeHeadline(params, response.summary, stationName, response.bin);
  const result = response && describeResult(page, response);
  useLayoutEffect(() => {
    // When it has been painted, which the tests measure.
    if (response !== undefined) requestAnimationFrame(() => setTimeout(() => performance.mark('first-data')));
  }, [response]);
  useEffect(() => {
    if (response !== undefined) showReady(response.summary.data.verification_pairs > 0);
  }, [response]);
  useEffect(() => {
    if (!isKnown || sentence === undefined) return;
    const { stations } = response.summary.metadata;
    announce(response.summary.data.mae === null ? sentence : `${sentence}${result?.value}${result?.end}`);
    const everywhere = `${stations === undefined ? 'All stations' : 'Stations'} ${regionWords(getRegion(params))}`;
    document.title = `${stationName || everywhere.trim()}, ${describeVariable(params).replace('the ', '')} – Forecast accuracy`;
  }, [isKnown && sentence]);
  useEffect(() => {
    if (error === undefined) return;
    if (!isOfOneResponse(error)) fail(error);
    // Out of reach of this as well, the whole service is; else panels show their own responses.
    else getProviders(load).then(() => showReady(true), fail);
  }, [error]);
  const shown = useRef<{ title: ComponentChildren; below: ComponentChildren }>({
    title: 'Loading…',
    // As high as it will be, so that nothing moves.
    below: isDetailed && [<p id="meaning" />, <Folded />],
  });
  if (error !== undefined)
    shown.current = {
      title: 'The summary could not be loaded.',
      below: <PanelError {...{ error, retry: reload }} />,
    };
  // The last one stays, dimmed, until the next is there.
  else if (isKnown && response.summary.data.mae === null)
    shown.current = { title: sentence, below: <NoPairs metadata={response.summary.metadata} /> };
  else if (isKnown)
    shown.current = {
      title: [sentence, <strong>{result?.value}</strong>, result?.end],
      below: isDetailed && (
        <Meaning {...response} freshness={freshness.isBusy ? undefined : freshness.response} />
      ),
    };
  return (
    <section id="headline" aria-labelledby="headline-title" aria-busy={isBusy}>
      <h2 id="headline-title" class="sentence">
        {shown.current.title}
      </h2>
      <Frozen isBusy={!isKnown && error === undefined}>{shown.current.below}</Frozen>
    </section>
  );
}

interface HeadlineProps {
  showReady: (hasPairs: boolean) => void;
  /** Whether the shown tab is about it: the others have the sentence alone. */
  isDetailed: boolean;
}

type Bin = Responses['accuracy/by-bucket']['data'][number];

/** The bin of chances that the headline speaks of; undefined of a variable that is no chance. */
export const loadBin = async ({ params, load }: Page): Promise<Bin | undefined> =>
  getChance(params) && findUsualBin((await load.get('accuracy/by-bucket', toChanceRequest(params))).data);

interface Found {
  summary: Summary;
  bin: Bin | undefined;
}

/** The number of a summary, and how its sentence ends: of chances how often it rained. */
function describeResult({ params }: Page, { summary: { data }, bin }: Found) {
  if (getScore(params) === 'mae') return { value: `${number(data.mae)} ${valueUnit()}`, end: ' on average.' };
  return { value: describeRain(bin?.observed_share ?? data.base_rate), end: '.' };
}

const Folded = ({ children }: { children?: ComponentChildren }) => (
  <details id="leads" class="quiet">
    <summary>How it is counted</summary>
    {children}
  </details>
);

/** The meaning of the number for a person; how it was counted is folded away. */
function Meaning({ summary: { data, metadata }, bin, freshness }: Found & { freshness: LatestDay }) {
  const { params } = usePage();
  const { verified_days, preliminary_days } = metadata.verification_coverage;
  const all = verified_days + preliminary_days;
  const [term, text] = score().term;
  const isChance = getScore(params) === 'brier_score';
  const interval = intervalWords(score().interval(data.uncertainty), score().format);
  const [half, nine] = [data.abs_error_p50, data.abs_error_p90].map(
    (error) => `${number(error, 1)} ${valueUnit()}`,
  );
  return (
    <>
      <p id="meaning">
        {!isChance
          ? `Half came within ${half}, nine in ten within ${nine}. `
          : bin && `${describeCases(bin)} `}
        {describeLean(data)}{' '}
        <span class="quiet">
          {!isChance && [<Term of="interval">95% interval</Term>, `: ${interval ?? 'too few days'}. `]}
          {describeFreshness(freshness)}
        </span>
      </p>
      <Folded>
        <p>
          <Term of={term}>{text}</Term>
          {isChance &&
            ` ${score().format(score().read(data))} (95% interval: ${interval ?? 'too few days'})`}{' '}
          over {whole(data.verification_pairs)} <Term of="pairs">forecasts</Term> {describeLeads(params)}.{' '}
          <Term of="bias">Bias</Term> {signed(data.mean_error)} {valueUnit()}, 95% interval:{' '}
          {intervalWords(data.uncertainty?.mean_error, signed, 0) ?? 'too few days'}.{' '}
          {isChance && [
            <Term of="skill">Skill</Term>,
            ` ${percent(data.brier_skill_score)} against always saying how often it rained: ${describeWetShare(data)}. `,
          ]}
          {preliminary_days === 0
            ? `${counted(all, 'day')}, all final.`
            : [
                `${whole(preliminary_days)} of ${counted(all, 'day')} partly `,
                <Term of="preliminary">preliminary</Term>,
                '.',
              ]}
        </p>
      </Folded>
    </>
  );
}

/** The latest day with data, whatever the window; undefined without any of late. */
export async function latestDay({ params, load }: Page): Promise<LatestDay> {
  // The days of a window up to now are asked for anyway, unless as weeks.
  const isUpToNow = params.date_from + params.date_to === '' && getStep(params) === 'day';
  const recent = { days: `${RECENT_DAYS}`, date_from: '', date_to: '', group_by: '' };
  const query = { ...byDateParameters(params), ...(!isUpToNow && recent) };
  const { data, metadata } = await load.get('accuracy/by-date', query);
  const found = data.at(-1);
  return found && { latest: found.date, today: metadata.period_end };
}

const RECENT_DAYS = 30;

const SHOWN_DAYS = 90;

/** The longest window of the API that ends on a day. */
const MAX_DAYS = 3660;

/** The last day of which a request has pairs, however long ago; undefined without any. A copy has its own days alone. */
async function findLastDay({ params, load }: Page): Promise<string | undefined> {
  if (published) return (await load.get('accuracy/by-date', byDateParameters(params))).data.at(-1)?.date;
  const { metric, provider, station_id } = params;
  const date_to = new Date().toISOString().slice(0, 10);
  const { data } = await load.get('accuracy/sample-size', {
    ...{ metric, provider, stations: station_id },
    ...{ date_from: addDays(date_to, 1 - MAX_DAYS), date_to },
  });
  return data
    .flatMap(({ last_date }) => last_date ?? [])
    .sort()
    .at(-1);
}

interface Way {
  metric: string;
  last: string;
}

/** The days with data of the variable of a request, and of the others of feeds: the rest follow from these. */
async function findWays(page: Page): Promise<Way[]> {
  const { metric } = page.params;
  const { data } = await getProviders(page.load);
  const hasPairs = new Set(data.flatMap(({ variables = [] }) => variables));
  const metrics = [metric, ...LEDGER_NAMES.filter((name) => name !== metric)].filter(
    (name) => hasPairs.has(name) && isOffered('metric', name),
  );
  const ways = metrics.map(async (metric): Promise<Way[]> => {
    const last = await findLastDay({ ...page, params: { ...page.params, metric } });
    return last === undefined ? [] : [{ metric, last }];
  });
  return (await Promise.all(ways)).flat();
}

/** Where a window has no pairs, the ways to days that have some, of this variable or another. */
function NoPairs({ metadata }: Pick<Summary, 'metadata'>) {
  const page = usePage();
  const { params, load, change, open } = page;
  const { response: ways, error, isBusy, again } = useResponse(() => findWays(page));
  const [first] = ways ?? [];
  // Nobody has chosen the variable that the page begins with. Addresses that the page writes leave out a first one.
  const [isFree] = useState(() => !new URLSearchParams(location.search).has('metric'));
  const isOpening = isFree && load.number === 1 && first !== undefined && first.metric !== params.metric;
  useEffect(() => {
    if (isOpening) open({ metric: first.metric });
  }, [ways]);
  if (error !== undefined) return <PanelError {...{ error, retry: again }} />;
  if (isBusy || ways === undefined || isOpening)
    return (
      <p class="loading quiet" aria-busy="true">
        Looking for days with data…
      </p>
    );
  if (first === undefined) return <p class="quiet">{describeLack(params)}</p>;
  return (
    <p class="actions row">
      {ways.map(({ metric, last }) => {
        const isWithin = metadata.period_start <= last && last <= metadata.period_end;
        const window = isWithin ? {} : { date_from: addDays(last, 1 - SHOWN_DAYS), date_to: last };
        return (
          <button type="button" class="primary" onClick={() => change({ metric, ...window })}>
            {metric === params.metric
              ? `Show the last ${SHOWN_DAYS} days with data, to ${day(last)}`
              : `Show ${describeVariable({ metric })}, to ${day(last)}`}
          </button>
        );
      })}
    </p>
  );
}
