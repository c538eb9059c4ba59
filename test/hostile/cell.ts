import type { StepResult } from '../../sandbox/runner/runner.ts';
import { apiKey, githubToken } from '../helpers/run.ts';
import type { Call, Verdict } from './call.ts';
import type { Fault, FaultContext, Surroundings } from './faults.ts';
import { send } from './http-bytes.ts';
import { speedFor } from './pace.ts';
import { type RawServer, startRawServer, type Treatment } from './raw-server.ts';
import { startGitHub, startService } from './sound-responses.ts';
import { surround } from './surroundings.ts';

/** The secret that is sent to each server. */
export const secrets = { service: apiKey, github: githubToken } as const;

/** The outcome of a run with a fault. */
export interface Outcome {
  readonly step: StepResult;
  /** Tested requests that arrived, or connections without a readable request. */
  readonly arrivals: number;
  /** Requests to the server without the fault. */
  readonly requestsElsewhere: number;
  /** Connections to another origin, or to a proxy that must not be used. */
  readonly strays: number;
}

/** Runs an action once, with one fault at one of its requests. */
export async function runUnderFire(call: Call, fault: Fault, verdict: Verdict): Promise<Outcome> {
  const surroundings = fault.surroundings ?? 'plain';
  await using trap = await startRawServer({ onRequest: (socket) => void socket.end() });
  const speed = speedFor(call, fault, verdict);
  const elsewhere = `http://127.0.0.1:${trap.port}`;
  const context = { elsewhere, secret: secrets[call.server], speed };
  const fire = setFire(call, fault, context);
  const transport = /TLS|https|refuses/.test(surroundings) ? 'tls' : 'plain';
  await using server = await startRawServer(fire.treatment, transport);
  breakOff(surroundings, server, call.goodFirst === 0);
  const other = call.server === 'github' ? startService() : startGitHub();
  await using sound = await startRawServer({
    onRequest: (socket, request) => send(socket, other(request)),
  });
  await using around = await surround(surroundings, server.port, call.goodFirst);
  const soundUrl = `http://127.0.0.1:${sound.port}`;
  const step = await call.run({
    serviceUrl: call.server === 'service' ? around.baseUrl : soundUrl,
    githubUrl: call.server === 'github' ? around.baseUrl : soundUrl,
    env: { ...around.env, FAST_CLOCK_AFTER: String(call.goodFirst) },
    speed,
  });
  return {
    step,
    arrivals: fire.arrivals(),
    requestsElsewhere: sound.requests.length,
    strays: trap.connections + around.strays(),
  };
}

/** A server that works until the tested request arrives. */
function setFire(
  call: Call,
  fault: Fault,
  context: Omit<FaultContext, 'good'>,
): { treatment: Treatment; arrivals: () => number } {
  const sound = call.startSound();
  let responded = 0;
  let arrivals = 0;
  const isDue = () => responded >= call.goodFirst;
  const treatment: Treatment = {
    onConnection(socket) {
      if (fault.connection === undefined || !isDue()) {
        return false;
      }
      arrivals += 1;
      fault.connection(socket);
      return true;
    },
    onRequest(socket, request, server) {
      const isUnderFire = call.isUnderFire(request) && isDue();
      const good = sound(request);
      arrivals += isUnderFire ? 1 : 0;
      if (isUnderFire && fault.request !== undefined) {
        fault.request(socket, { ...context, good });
        return;
      }
      responded += 1;
      send(socket, good);
      breakOff(fault.surroundings ?? 'plain', server, isDue());
    },
  };
  return { treatment, arrivals: () => arrivals };
}

/** Faults that start when the server itself changes. */
function breakOff(surroundings: Surroundings, server: RawServer, isDue: boolean): void {
  if (isDue && surroundings === 'nobody listens') {
    server.stopListening();
  }
  if (isDue && surroundings === 'strange TLS') {
    server.becomeStranger();
  }
}
