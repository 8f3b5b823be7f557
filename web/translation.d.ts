import type { RefusalArguments } from './refusals.js';

/** The names in braces of a sentence. */
type Gaps<Sentence> = Sentence extends `${string}{${infer Gap}}${infer Rest}` ? Gap | Gaps<Rest> : never;

/**
 * What a table of translated refusals must be: a sentence for every code, with no gap but the arguments of the code, and no
 * sentence without a code.
 */
export type RefusalSentences<Table> = {
  [Code in keyof RefusalArguments]: Code extends keyof Table
    ? Gaps<Table[Code]> extends RefusalArguments[Code] ? string : { 'unknown gap': Exclude<Gaps<Table[Code]>, RefusalArguments[Code]> }
    : string;
} & { [Stale in Exclude<keyof Table, keyof RefusalArguments>]: never };
