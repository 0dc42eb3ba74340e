/** Who issued a forecast, where its feed does not say (D27). */
export const UNNAMED_PROVIDER = 'default';

/** How providers are named. */
export const PROVIDER_FORM = /^[a-z0-9][a-z0-9-]{0,31}$/;
