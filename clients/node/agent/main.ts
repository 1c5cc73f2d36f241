// The Node agent. It implements conformance/AGENT.md on stdin and stdout. `--peer NAME` selects one of the other
// clients below.
import { LarderAgentClient } from "./larder/larder-client.js";
import { type AgentClient, LineAgent } from "./line-agent.js";

async function clientOf(peer: string | undefined): Promise<AgentClient> {
  switch (peer) {
    case undefined:
      return new LarderAgentClient();
    case "ioredis":
    case "ioredis-cluster":
      return (await import("./peers/ioredis-peer.js")).ioredisPeer(peer);
    case "node-redis":
      return (await import("./peers/node-redis-peer.js")).nodeRedisPeer();
    case "valkey-glide":
      return (await import("./peers/valkey-glide-peer.js")).valkeyGlidePeer();
    case "memjs":
      return (await import("./peers/memjs-peer.js")).memjsPeer();
    case "momento":
      return new (await import("./peers/momento-client.js")).MomentoAgentClient();
    case "grpc-js":
      return new (await import("./peers/grpc-client.js")).GrpcAgentClient();
    case "node-http2":
      return new (await import("./peers/http2-client.js")).Http2AgentClient();
    case "nothing":
      return new (await import("./peers/nothing-client.js")).NothingAgentClient();
    default:
      throw new Error(`unknown peer "${peer}"`);
  }
}

const flag = process.argv.indexOf("--peer");
const peer = flag < 0 ? undefined : process.argv[flag + 1];
await new LineAgent(await clientOf(peer), peer === undefined ? () => new LarderAgentClient() : undefined).run();
