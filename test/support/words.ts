/** The words between blanks, of a list that is written as one text. */
export const words = (text: string): string[] => text.split(/\s+/);
