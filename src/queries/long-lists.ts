import { z } from 'zod';

const areNumbers = (list: unknown): boolean =>
  Array.isArray(list) && list.every((each) => typeof each === 'number');

/** A long list of numbers in a row: z.array(z.number()) takes 100 ns for each member, and there are millions. */
export const numbers = z.custom<number[]>(areNumbers);
