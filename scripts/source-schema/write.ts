import { z } from 'zod';
import { SOURCE_FILE } from '../../src/collect/files/source-file.js';

/** The JSON schema of source files, without the rules that join their fields. */
export const writeSourceSchema = (): string =>
  `${JSON.stringify(z.toJSONSchema(SOURCE_FILE, { io: 'input' }), null, 2)}\n`;
