import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file in one step: no reader sees half of it, and what it says survives a loss of power.
 * @param mode of the file, also where one is there with another
 */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.new`;
  await rm(temporary, { force: true }); // of a process that was killed
  const written = await open(temporary, 'wx', mode);
  try {
    await written.writeFile(text);
    await written.sync();
  } catch (error) {
    await rm(temporary, { force: true }); // a full disk leaves half of it
    throw error;
  } finally {
    await written.close();
  }
  await rename(temporary, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
