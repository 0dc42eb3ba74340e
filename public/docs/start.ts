import { type OpenApiDocument, withEmptyParameters } from './empty-parameters.js';

// The page of the API's documentation: Swagger UI over openapi.json.

/** As far as this page uses Swagger UI. */
interface Viewer {
  specSelectors: { specJson(): { toJS(): OpenApiDocument } };
  specActions: {
    changeParam(operation: [path: string, method: 'get'], name: string, place: string, value: string): void;
  };
}

type Authorization = { apiKey: { value: string } };

declare function SwaggerUIBundle(options: object): Viewer;

/** Names a station of this service in the operations that cannot do without one. */
async function fillStation(headers: Record<string, string>): Promise<void> {
  const response = await fetch('api/v1/data/forecasts?limit=1', { headers });
  if (!response.ok) return; // the viewer tells it at the first request
  const { data } = (await response.json()) as { data: { station_id: string }[] };
  for (const { station_id } of data)
    for (const path of Object.keys(viewer.specSelectors.specJson().toJS().paths)) {
      const place = path.endsWith('/{station_id}') ? 'path' : path.endsWith('/probability') && 'query';
      if (place) viewer.specActions.changeParam([path, 'get'], 'station_id', place, station_id);
    }
}

/** Parts of the viewer outside of its landmarks. */
const PARTS = [
  ['.information-container', 'About'],
  ['.scheme-container', 'Server and key'],
] as const;

/** Mends the viewer for keyboards and screen readers: names for lists, no link in a button, focus where it scrolls. */
function mend(): void {
  for (const list of document.querySelectorAll('#docs select:not([aria-label])'))
    list.ariaLabel = list.closest('tr')?.dataset.paramName ?? (list.id || 'Example');
  for (const link of document.querySelectorAll('#docs button a[href]')) link.removeAttribute('href');
  for (const [part, name] of PARTS) {
    const found = docs?.querySelector(part);
    found?.setAttribute('role', 'region');
    found?.setAttribute('aria-label', name);
  }
  for (const code of document.querySelectorAll<HTMLElement>('#docs pre:not([tabindex])')) code.tabIndex = 0;
}
const docs = document.getElementById('docs');
if (docs !== null) new MutationObserver(mend).observe(docs, { childList: true, subtree: true });

const viewer = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  showExtensions: true, // the orientation of each statistic
  // A key that is entered stays in the page's memory: it is gone when the page is.
  persistAuthorization: false,
  validatorUrl: null,
  responseInterceptor(response: { url: string; text: string }) {
    if (response.url.endsWith('/openapi.json')) response.text = withEmptyParameters(response.text);
    return response;
  },
  onComplete() {
    if (document.documentElement.dataset.public !== undefined) void fillStation({});
  },
  plugins: [
    () => ({
      statePlugins: {
        auth: {
          wrapActions: {
            authorize: (authorize: (given: Authorization) => unknown) => (given: Authorization) => {
              void fillStation({ Authorization: `Bearer ${given.apiKey.value}` });
              return authorize(given);
            },
          },
        },
      },
    }),
  ],
});
