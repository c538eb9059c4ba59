/** ncc's function. The package has no types, and its readme documents `externals` as a list only. */
declare module '@vercel/ncc' {
  interface Built {
    /** The bundled code of the entry. */
    readonly code: string;
    /** The other files, by their names beside the entry. */
    readonly assets: Readonly<Record<string, { readonly source: string | Uint8Array }>>;
    /** webpack's statistics. */
    readonly stats: { toJson(): unknown };
  }

  export default function ncc(
    entry: string,
    options: {
      readonly cache: false;
      readonly quiet: true;
      /** For each module that stays out of the bundle: what is imported instead. */
      readonly externals: Readonly<Record<string, string>>;
    },
  ): Promise<Built>;
}
