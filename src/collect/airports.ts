// The network NWSCLI of IEM names a station with the first letter of its office and the three of its report: Bethel is
// PBET there. In the lower 48 that is its ICAO identifier, elsewhere often not: Bethel's airport is PABE.

/** Where IEM does not say which airport it is (`MAPS_TO`). */
const AIRPORTS: Readonly<Record<string, string>> = {
  // Alaska
  PANN: 'PANT',
  PBET: 'PABE',
  PBIG: 'PABI',
  PBRW: 'PABR',
  PBTT: 'PABT',
  PCDB: 'PACD',
  PCDV: 'PACV',
  PENA: 'PAEN',
  PFAI: 'PAFA',
  PGKN: 'PAGK',
  PHOM: 'PAHO',
  PJNU: 'PAJN',
  PKTN: 'PAKT',
  PYAK: 'PAYA',
  PMCG: 'PAMC',
  POME: 'PAOM',
  PORT: 'PAOR',
  POTZ: 'PAOT',
  PSIT: 'PASI',
  PSNP: 'PASN',
  PTKA: 'PATK',
  // Hawaii, Samoa, Micronesia
  PITO: 'PHTO',
  PLIH: 'PHLI',
  POGG: 'PHOG',
  NPPG: 'NSTU',
  PMAJ: 'PKMJ',
  PPNI: 'PTPN',
  PROR: 'PTRO',
  PYAP: 'PTYA',
  // Puerto Rico, Virgin Islands
  TSJU: 'TJSJ',
  TSTT: 'TIST',
  TSTX: 'TISX',
};

/**
 * The ICAO identifier of a station of NWSCLI.
 * @param maps_to its entry in IEM's list, such as `PABE|AK_ASOS`
 */
export function toAirport(sid: string, maps_to = ''): string {
  const [mapped = ''] = maps_to.split('|');
  if (sid.startsWith('K')) return sid;
  return /^[A-Z0-9]{4}$/.test(mapped) ? mapped : (AIRPORTS[sid] ?? sid);
}

/** The office in the names of its bulletins; IEM calls San Juan JSJ. */
export const officeInBulletins = (wfo: string): string => (wfo === 'JSJ' ? 'SJU' : wfo);
