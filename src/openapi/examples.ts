// Written by npm run examples: what the service answers over the sample data. A test holds it to that.

/** What an operation answers. */
export interface Example {
  request: string;
  /** What has been left out of a long answer. */
  excerpt?: string;
  json: unknown;
  csv?: string;
}

export interface Examples {
  /** By operationId. */
  answers: Record<string, Example>;
  /** By error code. */
  errors: Record<string, { request: string; body: unknown }>;
}

export const EXAMPLES: Examples = {
  answers: {
    getAccuracyByDate: {
      request: 'GET /api/v1/accuracy/by-date?date_from=2026-09-28&date_to=2026-09-30',
      json: {
        success: true,
        data: [
          {
            date: '2026-09-28',
            station_id: 'ALL',
            city_name: 'All stations',
            stats: {
              verification_pairs: 924,
              unique_days: 1,
              mean_error: -0.46,
              std_dev: 3.69,
              mae: 2.87,
              rmse: 3.72,
              abs_error_p50: 2.3,
              abs_error_p90: 6,
              abs_error_p95: 7.69,
            },
            sample_size: 924,
          },
          {
            date: '2026-09-29',
            station_id: 'ALL',
            city_name: 'All stations',
            stats: {
              verification_pairs: 923,
              unique_days: 1,
              mean_error: -0.17,
              std_dev: 3.82,
              mae: 2.88,
              rmse: 3.82,
              abs_error_p50: 2.2,
              abs_error_p90: 6,
              abs_error_p95: 7.9,
            },
            sample_size: 923,
          },
          {
            date: '2026-09-30',
            station_id: 'ALL',
            city_name: 'All stations',
            stats: {
              verification_pairs: 924,
              unique_days: 1,
              mean_error: -0.27,
              std_dev: 3.7,
              mae: 2.85,
              rmse: 3.71,
              abs_error_p50: 2.2,
              abs_error_p90: 6.1,
              abs_error_p95: 7.6,
            },
            sample_size: 924,
          },
        ],
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 3,
          period_start: '2026-09-28',
          period_end: '2026-09-30',
          total_records: 2771,
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,date,station_id,city_name,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95,sample_size\r\nhigh,2026-09-28,2026-09-30,2026-09-28,ALL,All stations,924,1,-0.46,3.69,2.87,3.72,2.3,6,7.69,924\r\nhigh,2026-09-28,2026-09-30,2026-09-29,ALL,All stations,923,1,-0.17,3.82,2.88,3.82,2.2,6,7.9,923\r\nhigh,2026-09-28,2026-09-30,2026-09-30,ALL,All stations,924,1,-0.27,3.7,2.85,3.71,2.2,6.1,7.6,924\r\n',
    },
    getAccuracyByDateOfStation: {
      request: 'GET /api/v1/accuracy/by-date/KORD?date_from=2026-09-29&date_to=2026-09-30',
      json: {
        success: true,
        data: [
          {
            date: '2026-09-29',
            station_id: 'KORD',
            city_name: 'Chicago',
            stats: {
              verification_pairs: 20,
              unique_days: 1,
              mean_error: -1.37,
              std_dev: 3.54,
              mae: 2.66,
              rmse: 3.79,
              abs_error_p50: 1.95,
              abs_error_p90: 4.92,
              abs_error_p95: 5.47,
            },
            sample_size: 20,
          },
          {
            date: '2026-09-30',
            station_id: 'KORD',
            city_name: 'Chicago',
            stats: {
              verification_pairs: 20,
              unique_days: 1,
              mean_error: 0.14,
              std_dev: 3.35,
              mae: 2.87,
              rmse: 3.35,
              abs_error_p50: 2.6,
              abs_error_p90: 5.32,
              abs_error_p95: 5.56,
            },
            sample_size: 20,
          },
        ],
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 2,
          period_start: '2026-09-29',
          period_end: '2026-09-30',
          total_records: 40,
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,date,station_id,city_name,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95,sample_size\r\nhigh,2026-09-29,2026-09-30,2026-09-29,KORD,Chicago,20,1,-1.37,3.54,2.66,3.79,1.95,4.92,5.47,20\r\nhigh,2026-09-29,2026-09-30,2026-09-30,KORD,Chicago,20,1,0.14,3.35,2.87,3.35,2.6,5.32,5.56,20\r\n',
    },
    getAccuracyByStation: {
      request:
        'GET /api/v1/accuracy/by-station/Chicago?date_from=2026-09-30&date_to=2026-09-30&include_raw=true',
      excerpt: 'the first 2 of 20',
      json: {
        success: true,
        data: {
          station_id: 'KORD',
          city_name: 'Chicago',
          stats: {
            verification_pairs: 20,
            unique_days: 1,
            mean_error: 0.14,
            std_dev: 3.35,
            mae: 2.87,
            rmse: 3.35,
            abs_error_p50: 2.6,
            abs_error_p90: 5.32,
            abs_error_p95: 5.56,
          },
          sample_size: 20,
          sample_records: [
            {
              target_date: '2026-09-30',
              issued_at: '2026-09-25T06:00:00Z',
              lead_time_hours: 119,
              lead_time_bucket: '72h+',
              forecast: 62.1,
              actual: 63.6,
              error: -1.5,
              observation_status: 'verified',
            },
            {
              target_date: '2026-09-30',
              issued_at: '2026-09-25T12:00:00Z',
              lead_time_hours: 113,
              lead_time_bucket: '72h+',
              forecast: 59.6,
              actual: 63.6,
              error: -4,
              observation_status: 'verified',
            },
          ],
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 1,
          period_start: '2026-09-30',
          period_end: '2026-09-30',
          local_generated_at: '2026-10-05T07:00:00.000-05:00',
          station_id: 'KORD',
          station_timezone: 'America/Chicago',
          error_convention: 'forecast_minus_actual',
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,station_id,city_name,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95,sample_size,target_date,issued_at,lead_time_hours,lead_time_bucket,forecast,actual,error,observation_status\r\nhigh,2026-09-30,2026-09-30,KORD,Chicago,20,1,0.14,3.35,2.87,3.35,2.6,5.32,5.56,20,2026-09-30,2026-09-25T06:00:00Z,119,72h+,62.1,63.6,-1.5,verified\r\nhigh,2026-09-30,2026-09-30,KORD,Chicago,20,1,0.14,3.35,2.87,3.35,2.6,5.32,5.56,20,2026-09-30,2026-09-25T12:00:00Z,113,72h+,59.6,63.6,-4,verified\r\n',
    },
    getAccuracySummary: {
      request: 'GET /api/v1/accuracy/summary?city=Chicago&date_from=2026-09-01&date_to=2026-09-30',
      json: {
        success: true,
        data: {
          verification_pairs: 598,
          unique_days: 30,
          mean_error: -1.13,
          std_dev: 3.98,
          mae: 3.2,
          rmse: 4.14,
          abs_error_p50: 2.65,
          abs_error_p90: 6.83,
          abs_error_p95: 8,
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 30,
          period_start: '2026-09-01',
          period_end: '2026-09-30',
          total_records: 598,
          accuracy_metric: 'high',
          error_convention: 'forecast_minus_actual',
          verification_coverage: { verified_days: 29, preliminary_days: 1, verified_pct: 0.9667 },
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95\r\nhigh,2026-09-01,2026-09-30,598,30,-1.13,3.98,3.2,4.14,2.65,6.83,8\r\n',
    },
    getAccuracyByLeadTime: {
      request: 'GET /api/v1/accuracy/by-lead-time?city=Chicago&date_from=2026-09-01&date_to=2026-09-30',
      json: {
        success: true,
        data: [
          {
            lead_time_bucket: '0-6h',
            label: '0–6 Hours Before Target Date',
            description:
              'Forecasts issued at least 0 and less than 6 hours before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 30,
              unique_days: 30,
              mean_error: -0.98,
              std_dev: 1.94,
              mae: 1.74,
              rmse: 2.18,
              abs_error_p50: 1.6,
              abs_error_p90: 3.32,
              abs_error_p95: 3.72,
            },
          },
          {
            lead_time_bucket: '6-12h',
            label: '6–12 Hours Before Target Date',
            description:
              'Forecasts issued at least 6 and less than 12 hours before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 30,
              unique_days: 30,
              mean_error: -1.02,
              std_dev: 2.05,
              mae: 1.78,
              rmse: 2.29,
              abs_error_p50: 1.3,
              abs_error_p90: 3.81,
              abs_error_p95: 4.12,
            },
          },
          {
            lead_time_bucket: '12-24h',
            label: '12–24 Hours Before Target Date',
            description:
              'Forecasts issued at least 12 and less than 24 hours before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 60,
              unique_days: 30,
              mean_error: -1.31,
              std_dev: 2.54,
              mae: 2.2,
              rmse: 2.86,
              abs_error_p50: 1.6,
              abs_error_p90: 4.94,
              abs_error_p95: 5.72,
            },
          },
          {
            lead_time_bucket: '24-48h',
            label: '24–48 Hours Before Target Date',
            description:
              'Forecasts issued at least 24 and less than 48 hours before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 120,
              unique_days: 30,
              mean_error: -1.07,
              std_dev: 2.97,
              mae: 2.59,
              rmse: 3.16,
              abs_error_p50: 2.2,
              abs_error_p90: 5.11,
              abs_error_p95: 5.71,
            },
          },
          {
            lead_time_bucket: '48-72h',
            label: '48–72 Hours Before Target Date',
            description:
              'Forecasts issued at least 48 and less than 72 hours before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 120,
              unique_days: 30,
              mean_error: -1.09,
              std_dev: 3.86,
              mae: 3.23,
              rmse: 4.01,
              abs_error_p50: 2.9,
              abs_error_p90: 7,
              abs_error_p95: 7.7,
            },
          },
          {
            lead_time_bucket: '72h+',
            label: '72+ Hours Before Target Date',
            description:
              'Forecasts issued 72 hours or more before the start of the target date (local midnight)',
            stats: {
              verification_pairs: 238,
              unique_days: 30,
              mean_error: -1.16,
              std_dev: 5.02,
              mae: 4.11,
              rmse: 5.15,
              abs_error_p50: 3.45,
              abs_error_p90: 8.28,
              abs_error_p95: 10.82,
            },
          },
        ],
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 30,
          period_start: '2026-09-01',
          period_end: '2026-09-30',
          total_records: 598,
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,lead_time_bucket,label,description,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95\r\nhigh,2026-09-01,2026-09-30,0-6h,0–6 Hours Before Target Date,Forecasts issued at least 0 and less than 6 hours before the start of the target date (local midnight),30,30,-0.98,1.94,1.74,2.18,1.6,3.32,3.72\r\nhigh,2026-09-01,2026-09-30,6-12h,6–12 Hours Before Target Date,Forecasts issued at least 6 and less than 12 hours before the start of the target date (local midnight),30,30,-1.02,2.05,1.78,2.29,1.3,3.81,4.12\r\nhigh,2026-09-01,2026-09-30,12-24h,12–24 Hours Before Target Date,Forecasts issued at least 12 and less than 24 hours before the start of the target date (local midnight),60,30,-1.31,2.54,2.2,2.86,1.6,4.94,5.72\r\nhigh,2026-09-01,2026-09-30,24-48h,24–48 Hours Before Target Date,Forecasts issued at least 24 and less than 48 hours before the start of the target date (local midnight),120,30,-1.07,2.97,2.59,3.16,2.2,5.11,5.71\r\nhigh,2026-09-01,2026-09-30,48-72h,48–72 Hours Before Target Date,Forecasts issued at least 48 and less than 72 hours before the start of the target date (local midnight),120,30,-1.09,3.86,3.23,4.01,2.9,7,7.7\r\nhigh,2026-09-01,2026-09-30,72h+,72+ Hours Before Target Date,Forecasts issued 72 hours or more before the start of the target date (local midnight),238,30,-1.16,5.02,4.11,5.15,3.45,8.28,10.82\r\n',
    },
    getAccuracyByCity: {
      request: 'GET /api/v1/accuracy/by-city?sort_by=mae&date_from=2026-09-01&date_to=2026-09-30',
      excerpt: 'the first 3 of 46',
      json: {
        success: true,
        data: [
          {
            station_id: 'MMMX',
            city_name: 'Mexico City',
            sample_size: 630,
            stats: {
              verification_pairs: 630,
              unique_days: 30,
              mean_error: -0.27,
              std_dev: 3.23,
              mae: 2.48,
              rmse: 3.25,
              abs_error_p50: 1.8,
              abs_error_p90: 5.2,
              abs_error_p95: 6.51,
            },
          },
          {
            station_id: 'KPHX',
            city_name: 'Phoenix',
            sample_size: 599,
            stats: {
              verification_pairs: 599,
              unique_days: 30,
              mean_error: -0.39,
              std_dev: 3.33,
              mae: 2.52,
              rmse: 3.36,
              abs_error_p50: 1.9,
              abs_error_p90: 5.6,
              abs_error_p95: 6.91,
            },
          },
          {
            station_id: 'KSFO',
            city_name: 'San Francisco',
            sample_size: 600,
            stats: {
              verification_pairs: 600,
              unique_days: 30,
              mean_error: 0.35,
              std_dev: 3.26,
              mae: 2.52,
              rmse: 3.28,
              abs_error_p50: 1.9,
              abs_error_p90: 5.4,
              abs_error_p95: 6.61,
            },
          },
        ],
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          days_analyzed: 30,
          period_start: '2026-09-01',
          period_end: '2026-09-30',
          total_records: 27676,
          query_time_ms: 7,
        },
      },
      csv: 'metric,period_start,period_end,station_id,city_name,sample_size,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95\r\nhigh,2026-09-01,2026-09-30,MMMX,Mexico City,630,630,30,-0.27,3.23,2.48,3.25,1.8,5.2,6.51\r\nhigh,2026-09-01,2026-09-30,KPHX,Phoenix,599,599,30,-0.39,3.33,2.52,3.36,1.9,5.6,6.91\r\nhigh,2026-09-01,2026-09-30,KSFO,San Francisco,600,600,30,0.35,3.26,2.52,3.28,1.9,5.4,6.61\r\n',
    },
    getStationsMetadata: {
      request: 'GET /api/v1/stations/metadata',
      excerpt: 'the first 2 of 48',
      json: {
        success: true,
        data: [
          {
            station_id: 'BIRK',
            city_name: 'Reykjavik',
            country: 'IS',
            latitude: 64.13,
            longitude: -21.9406,
            timezone: 'Atlantic/Reykjavik',
            climate_zone: 'Cfc',
            data_active: true,
            aliases: ['Reykjavík'],
            external_ids: { icao: 'BIRK', iata: 'RKV' },
          },
          {
            station_id: 'CYYT',
            city_name: "St. John's",
            country: 'CA',
            latitude: 47.6186,
            longitude: -52.7519,
            timezone: 'America/St_Johns',
            climate_zone: 'Dfb',
            data_active: true,
            aliases: ["St. John's, NL", 'St Johns', "Saint John's", "St. John's, Newfoundland"],
            external_ids: { icao: 'CYYT', iata: 'YYT' },
          },
        ],
      },
      csv: "station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,icao,iata\r\nBIRK,Reykjavik,IS,64.13,-21.9406,Atlantic/Reykjavik,Cfc,true,Reykjavík,BIRK,RKV\r\nCYYT,St. John's,CA,47.6186,-52.7519,America/St_Johns,Dfb,true,\"St. John's, NL|St Johns|Saint John's|St. John's, Newfoundland\",CYYT,YYT\r\n",
    },
    getIndex: {
      request: 'GET /api/v1',
      json: {
        success: true,
        data: [
          {
            path: '/api/v1/accuracy/by-date',
            summary: 'Accuracy by date',
            parameters: [
              'days',
              'date_from',
              'date_to',
              'metric',
              'format',
              'station_id',
              'city',
              'include_preliminary',
            ],
          },
          {
            path: '/api/v1/accuracy/by-date/{station_id}',
            summary: 'Accuracy by date',
            parameters: [
              'days',
              'date_from',
              'date_to',
              'metric',
              'format',
              'station_id',
              'city',
              'include_preliminary',
            ],
          },
          {
            path: '/api/v1/accuracy/by-station/{station_id}',
            summary: 'Accuracy of one station',
            parameters: ['days', 'date_from', 'date_to', 'metric', 'format', 'include_raw'],
          },
          {
            path: '/api/v1/accuracy/summary',
            summary: 'Accuracy over a window',
            parameters: ['days', 'date_from', 'date_to', 'metric', 'format', 'station_id', 'city'],
          },
          {
            path: '/api/v1/accuracy/by-lead-time',
            summary: 'Accuracy by lead time',
            parameters: ['days', 'date_from', 'date_to', 'metric', 'format', 'station_id', 'city'],
          },
          {
            path: '/api/v1/accuracy/by-city',
            summary: 'Accuracy by city',
            parameters: [
              'days',
              'date_from',
              'date_to',
              'metric',
              'format',
              'station_id',
              'city',
              'min_samples',
              'sort_by',
            ],
          },
          { path: '/api/v1/stations/metadata', summary: 'Station metadata', parameters: ['format'] },
          {
            path: '/api/v1/export/pairs',
            summary: 'All verification pairs of a window, as a file',
            parameters: ['days', 'date_from', 'date_to', 'metric', 'station_id', 'city', 'format', 'cursor'],
          },
        ],
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          documentation: '/docs',
          openapi: '/openapi.json',
          query_time_ms: 7,
        },
      },
      csv: 'path,summary,parameters\r\n/api/v1/accuracy/by-date,Accuracy by date,days|date_from|date_to|metric|format|station_id|city|include_preliminary\r\n/api/v1/accuracy/by-date/{station_id},Accuracy by date,days|date_from|date_to|metric|format|station_id|city|include_preliminary\r\n/api/v1/accuracy/by-station/{station_id},Accuracy of one station,days|date_from|date_to|metric|format|include_raw\r\n/api/v1/accuracy/summary,Accuracy over a window,days|date_from|date_to|metric|format|station_id|city\r\n/api/v1/accuracy/by-lead-time,Accuracy by lead time,days|date_from|date_to|metric|format|station_id|city\r\n/api/v1/accuracy/by-city,Accuracy by city,days|date_from|date_to|metric|format|station_id|city|min_samples|sort_by\r\n/api/v1/stations/metadata,Station metadata,format\r\n/api/v1/export/pairs,"All verification pairs of a window, as a file",days|date_from|date_to|metric|station_id|city|format|cursor\r\n',
    },
    exportPairs: {
      request: 'GET /api/v1/export/pairs?station_id=KORD&metric=high&date_from=2026-09-30&date_to=2026-09-30',
      excerpt: 'its beginning',
      json: {
        metric: 'high',
        station_id: 'KORD',
        target_date: '2026-09-30',
        issued_at: '2026-09-25T06:00:00Z',
        lead_time_hours: 119,
        lead_time_bucket: '72h+',
        forecast: 62.1,
        actual: 63.6,
        error: -1.5,
        observation_status: 'verified',
      },
      csv: 'metric,station_id,target_date,issued_at,lead_time_hours,lead_time_bucket,forecast,actual,error,observation_status\r\nhigh,KORD,2026-09-30,2026-09-25T06:00:00Z,119,72h+,62.1,63.6,-1.5,verified\r\nhigh,KORD,2026-09-30,2026-09-25T12:00:00Z,113,72h+,59.6,63.6,-4,verified\r\n',
    },
    getHealth: {
      request: 'GET /api/v1/health',
      json: { status: 'ok', timestamp: '2026-10-05T12:00:00.000Z', database: 'ok', version: '1.0.0' },
    },
    getHealthDegraded: {
      request: 'GET /api/v1/health',
      json: {
        status: 'degraded',
        timestamp: '2026-10-05T12:00:00.000Z',
        database: 'unavailable',
        version: '1.0.0',
      },
    },
  },
  errors: {
    INVALID_PARAMETER: {
      request: 'GET /api/v1/accuracy/by-date?date_form=2026-09-01&days=400',
      body: {
        success: false,
        error: {
          code: 'INVALID_PARAMETER',
          message:
            'The request has 2 faults: date_form is not a parameter; did you mean date_from? (known here: days, date_from, date_to, metric, format, station_id, city, include_preliminary); days must be a whole number from 1 to 365',
          details: [
            {
              parameter: 'date_form',
              message:
                'is not a parameter; did you mean date_from? (known here: days, date_from, date_to, metric, format, station_id, city, include_preliminary)',
            },
            { parameter: 'days', message: 'must be a whole number from 1 to 365' },
          ],
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/by-date',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    AMBIGUOUS_CITY: {
      request: 'GET /api/v1/accuracy/summary?city=Springfield',
      body: {
        success: false,
        error: {
          code: 'AMBIGUOUS_CITY',
          message:
            '"Springfield" may be KSGF (Springfield) or KSPI (Springfield); ask for one of them by station_id',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    UNAUTHORIZED: {
      request: 'GET /api/v1/accuracy/summary',
      body: {
        success: false,
        error: {
          code: 'UNAUTHORIZED',
          message: 'This needs an API key: send the header Authorization: Bearer <API_KEY>',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    STATION_NOT_FOUND: {
      request: 'GET /api/v1/accuracy/by-station/KXYZ',
      body: {
        success: false,
        error: {
          code: 'STATION_NOT_FOUND',
          message: 'No station answers to "KXYZ"; GET /api/v1/stations/metadata lists all with their names',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/by-station/KXYZ',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    NOT_FOUND: {
      request: 'GET /api/v1/accuracy/by-day',
      body: {
        success: false,
        error: {
          code: 'NOT_FOUND',
          message: 'There is no /api/v1/accuracy/by-day; GET /openapi.json lists what there is',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/by-day',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    METHOD_NOT_ALLOWED: {
      request: 'POST /api/v1/accuracy/summary',
      body: {
        success: false,
        error: {
          code: 'METHOD_NOT_ALLOWED',
          message: 'POST is not allowed; everything here is read with GET or HEAD',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    RATE_LIMITED: {
      request: 'GET /api/v1/accuracy/summary?date_from=2026-09-01&date_to=2026-09-30',
      body: {
        success: false,
        error: {
          code: 'RATE_LIMITED',
          message: 'More than 2 requests in a minute with this key; see Retry-After',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    INTERNAL: {
      request: 'GET /api/v1/accuracy/summary?date_from=2026-09-01&date_to=2026-09-30',
      body: {
        success: false,
        error: { code: 'INTERNAL', message: 'Something went wrong here; the request id finds it in the log' },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    OVERLOADED: {
      request: 'GET /api/v1/accuracy/summary?date_from=2026-09-01&date_to=2026-09-30',
      body: {
        success: false,
        error: { code: 'OVERLOADED', message: 'Too many queries are waiting; try again in a few seconds' },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    STORE_UNAVAILABLE: {
      request: 'GET /api/v1/accuracy/summary?date_from=2026-09-01&date_to=2026-09-30',
      body: {
        success: false,
        error: {
          code: 'STORE_UNAVAILABLE',
          message: 'The data cannot be reached at the moment; try again in a few seconds',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
    QUERY_TIMEOUT: {
      request: 'GET /api/v1/accuracy/summary?date_from=2026-09-01&date_to=2026-09-30',
      body: {
        success: false,
        error: {
          code: 'QUERY_TIMEOUT',
          message: 'The query took too long; narrow the window, or name a station',
        },
        metadata: {
          generated_at: '2026-10-05T12:00:00.000Z',
          endpoint: '/api/v1/accuracy/summary',
          request_id: 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42',
        },
      },
    },
  },
};
