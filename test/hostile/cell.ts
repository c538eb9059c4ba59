import type { Socket } from 'node:net';
import type { StepResult } from '../../sandbox/runner.ts';
import { apiKey, runAgent } from '../helpers/run-agent.ts';
import type { Call } from './calls.ts';
import type { Fault, FaultContext } from './faults.ts';
import { send } from './http-bytes.ts';
import { speed } from './pace.ts';
import { type RawServer, startRawServer } from './raw-server.ts';
import { surround } from './surroundings.ts';

/** What became of a run under fire. */
export interface Outcome {
  readonly step: StepResult;
  /** Requests under fire that arrived, or connections where no request could be read. */
  readonly arrivals: number;
  /** Connections to the other origin, and to a proxy that was not to be asked. */
  readonly strays: number;
}

/** Runs an action once, with one fault in the way of one of its requests. */
export async function runUnderFire(call: Call, fault: Fault): Promise<Outcome> {
  const surroundings = fault.surroundings ?? 'plain';
  await using elsewhere = await startRawServer({ onRequest: (socket) => void socket.end() });
  const origin = `http://127.0.0.1:${elsewhere.port}`;
  let answered = 0;
  let arrivals = 0;
  const isInForce = () => answered >= call.goodFirst;
  const answerWell = (socket: Socket, request: Parameters<Call['goodAnswer']>[0]) => {
    answered += 1;
    send(socket, call.goodAnswer(request));
  };
  const transport = surroundings.includes('TLS') ? 'tls' : 'plain';
  await using service = await startRawServer(
    {
      onConnection(socket) {
        if (fault.connection === undefined || !isInForce()) {
          return false;
        }
        arrivals += 1;
        fault.connection(socket);
        return true;
      },
      onRequest(socket, request, server) {
        const isUnderFire = call.isUnderFire(request) && isInForce();
        arrivals += isUnderFire ? 1 : 0;
        if (isUnderFire && fault.request !== undefined) {
          const context: FaultContext = {
            good: call.goodAnswer(request),
            elsewhere: origin,
            apiKey,
          };
          fault.request(socket, context);
          return;
        }
        answerWell(socket, request);
        breakAfter(surroundings, server, isInForce());
      },
    },
    transport,
  );
  breakAfter(surroundings, service, isInForce());
  await using around = await surround(surroundings, service.port, call.goodFirst);
  const step = await runAgent({
    baseUrl: around.baseUrl,
    speed,
    inputs: { 'wait-minutes': '2', ...call.inputs },
    env: around.env,
  });
  return { step, arrivals, strays: elsewhere.connections + around.strays() };
}

/** Faults that begin when a server changes, once the sound answers are given. */
function breakAfter(
  surroundings: NonNullable<Fault['surroundings']>,
  server: RawServer,
  isInForce: boolean,
): void {
  if (isInForce && surroundings === 'nobody listens') {
    server.stopListening();
  }
  if (isInForce && surroundings === 'strange TLS') {
    server.becomeStranger();
  }
}
