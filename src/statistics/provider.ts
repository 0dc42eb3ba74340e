/** The provider of a feed that names none (D27). */
export const UNNAMED_PROVIDER = 'default';

/** The form of a provider's name. */
export const PROVIDER_FORM = /^[a-z0-9][a-z0-9-]{0,31}$/;
