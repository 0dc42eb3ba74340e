/** Who issued a forecast, where its feed does not say (D27). */
export const UNNAMED_PROVIDER = 'default';
