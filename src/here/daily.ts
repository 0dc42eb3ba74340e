import { computeJitter } from '../collect/schedule.js';
import { MINUTE_MS } from '../statistics/time/calendar.js';

/** The hour of the daily lines, by the machine's clock. */
const HOUR = 6;

/**
 * Pure. The lines that collect each day: for cron, and for systemd.
 * @param program the path of node, and that of this program
 */
export function formatDaily(dataDir: string, program: readonly string[]): string {
  // Each installation at a minute of its own.
  const minute = Math.floor(computeJitter(dataDir) / MINUTE_MS);
  const shell = (text: string): string =>
    `'${text.replaceAll("'", `'\\''`)}'`.replaceAll('%', String.raw`\%`);
  const unit = (text: string): string =>
    `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
  return `# For crontab -e:
${minute} ${HOUR} * * *  DATA_DIR=${shell(dataDir)} ${program.map(shell).join(' ')} here --no-serve

# Or for systemd, as ~/.config/systemd/user/forecast-accuracy-here.service:
[Service]
Type=oneshot
Environment=${unit(`DATA_DIR=${dataDir}`)}
ExecStart=${program.map(unit).join(' ')} here --no-serve

# and as forecast-accuracy-here.timer beside it; then systemctl --user enable --now forecast-accuracy-here.timer
[Timer]
OnCalendar=*-*-* 0${HOUR}:0${minute}
Persistent=true

[Install]
WantedBy=timers.target`;
}
