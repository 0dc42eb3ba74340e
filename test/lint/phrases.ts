import { listFiles, readText } from './files.js';

// Texts for people read as a native speaker writes them: no turn that once stood there comes back.

const FILES = listFiles(
  ...['public', 'src', 'docs', 'grafana', 'scripts/grafana', 'README.md', 'CHANGELOG.md', 'openapi.json'],
).filter((file) => /\.(tsx?|md|html|ya?ml|json|csv)$/.test(file));

/** Turns of phrase, with what to write instead. */
const FOREIGN: readonly [turn: RegExp, instead: string][] = [
  [/\d %(?![\d\w(])/, '95%'],
  [/of such (differences|departures) /, 'a gap proved right'],
  [/of age as well as of skill/, 'part of the difference is that its forecasts are older, not worse'],
  [/\b[Hh]ow sure (are|is) (they|the provider)\b/, 'Are the stated ranges right?'],
  [/as many as said/, 'relative to promised'],
  [/than the provider said/, 'happened more often than the provider said'],
  [/outside of its outermost/, 'fall outside its range'],
  [/[Nn]othing is claimed/, 'Too few days (under 180) to say which is better'],
  [/nor forecast so/, 'and none was forecast to'],
  [/forecast, \S+ did not come/, '40 of the 279 forecast were false alarms'],
  [/A link shows/, 'Click a day to see it alone'],
  [/what was measured by/, 'given readings up to'],
  [/with 50 ?% and with 90/, 'with 50% and 90% probability'],
  [/odds are not advice/, 'This is not advice'],
  [/odds hold while/, 'The odds assume the forecasts are as good as they were then'],
  [/dashed: as forecast/, 'dashed: perfect'],
  [/by the clock of the station, where/, 'local time there'],
  [/last, with the hours of/, 'latest, using today’s readings'],
  [/exclude \d+ highs|exclude \$\{/, '1 high is above what the hourly readings allow'],
  [/Do (its|such) (quantiles|intervals|odds) (hold|come)/, 'Are its quantiles right?'],
  [/does not exceed with this probability/, 'is at or below this degree with the given probability'],
  [/surer than it should be/, 'overconfident'],
  [/nothing that is reported of/, 'readings are not final'],
  [
    /(differences?|departures?|odds|bracket|share)( \w+)? (that )?c[ao]mes? true/,
    'proved right, happened, were reliable',
  ],
  [/is not shown to pay|is shown to pay/, 'has no significant gain'],
  [/issued 0 to more than/, 'issued up to several days ahead'],
];

/** The lines that have such a turn, with what to write instead. */
export function findPhrases(): string[] {
  return FILES.flatMap((file) =>
    readText(file)
      .split('\n')
      .flatMap((line, at) =>
        FOREIGN.filter(([turn]) => turn.test(line)).map(
          ([turn, instead]) => `${file}:${at + 1}: ${turn.source}: write "${instead}"`,
        ),
      ),
  );
}
