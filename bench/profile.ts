import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundleOf } from '../scripts/actions.ts';
import { startBundleRunner } from './bundle-run.ts';
import { type Measurement, median } from './measurement.ts';

const rounds = 15;

const profileSchema = v.object({
  nodes: v.array(
    v.object({
      id: v.number(),
      callFrame: v.object({ functionName: v.string(), url: v.string() }),
      children: v.optional(v.array(v.number()), []),
    }),
  ),
  samples: v.array(v.number()),
  timeDeltas: v.array(v.number()),
});

type Profile = v.InferOutput<typeof profileSchema>;

/** Groups of stack frames. The innermost frame that matches one decides. */
const groups: readonly (readonly [name: string, frame: RegExp])[] = [
  ["loading Node's own modules", /^(?:compileForInternalLoader|internalBinding) /],
  ['compiling the bundle', /^(?:compileSourceTextModule|ModuleWrap|wrapSafe) /],
  ['collecting garbage', /^\(garbage collector\) /],
  ['running the bundle', / .*\/dist\//],
  ['starting Node and the rest', /^/],
];

/** Measures what a run spends its time on until its first request, with V8's profiler. */
export async function measureProfile(): Promise<readonly Measurement[]> {
  await using runner = await startBundleRunner();
  const shares = new Map<string, number[]>(groups.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const folder = join(runner.folder, `profile-${round}`);
    const args = ['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', folder];
    await runner.time([...args, bundleOf('agent').entry], runner.validInputs);
    const [file = ''] = readdirSync(folder);
    const profile = v.parse(profileSchema, JSON.parse(readFileSync(join(folder, file), 'utf8')));
    for (const [name, share] of sharesOf(profile)) {
      shares.get(name)?.push(share);
    }
  }
  return [...shares].map(([name, values]) => [
    `Share of a profiled run until its first request: ${name}`,
    `${(median(values) * 100).toFixed(0)}%`,
    '',
  ]);
}

function sharesOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const parents = new Map(
    nodes.flatMap(({ id, children }) => children.map((child) => [child, id])),
  );
  const frames = new Map(
    nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName} ${callFrame.url}`]),
  );
  const groupOf = (node: number): string => {
    for (let at: number | undefined = node; at !== undefined; at = parents.get(at)) {
      const frame = frames.get(at) ?? '';
      const found = groups.slice(0, -1).find(([, pattern]) => pattern.test(frame));
      if (found !== undefined) return found[0];
    }
    return 'starting Node and the rest';
  };
  const sums = new Map<string, number>(groups.map(([name]) => [name, 0]));
  const groupOfNode = new Map(nodes.map(({ id }) => [id, groupOf(id)]));
  samples.forEach((node, index) => {
    const name = groupOfNode.get(node) ?? '';
    sums.set(name, (sums.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  return new Map([...sums].map(([name, value]) => [name, value / total]));
}
