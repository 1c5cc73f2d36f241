using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Wire.Sockets;

namespace Larder.Tuner.Peers.Floor;

/// <summary>
/// A baseline that shows the maximum performance of the sockets alone. It exchanges the same bytes as Larder between the same two processes and batches them in
/// the same way, but has no HTTP/2, gRPC, deadlines, concurrency limit or store. Callers continue on the thread that received their responses.
/// </summary>
internal sealed class FloorClient : PeerClient, ILoadTarget
{
    private readonly Link _link;

    private FloorClient(IByteTransport transport)
    {
        _link = new Link(transport);
        _ = _link.RunAsync();
    }

    /// <inheritdoc/>
    public override ILoadTarget Target => this;

    /// <inheritdoc/>
    public override int? Connections => 1;

    /// <summary>Connects to the endpoint of an <c>open</c> request.</summary>
    public static async Task<IAgentClient> OpenAsync(JsonElement request)
    {
        var endpoint = IPEndPoint.Parse(request.Text("endpoint") ?? throw new AgentException("endpoint is missing"));
        return new FloorClient(
            await SocketConnector.ConnectAsync("127.0.0.1", endpoint.Port, endpoint.Address, Reactor.IsDefault, CancellationToken.None).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new()
    {
        ["client"] = "floor",
        ["version"] = "",
        ["runtime"] = System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription,
        ["transport"] = "bytes",
        ["maxInFlight"] = "off",
        ["channels"] = 1,
    };

    /// <inheritdoc/>
    public async Task RunAsync(LoadCaller caller)
    {
        FloorCall call = _link.Open();
        while (await caller.NextAsync().ConfigureAwait(false))
        {
            bool isRead = caller.IsRead;
            // The response to a get has the same size as the value that a set of this item would send.
            if (!await _link.AskAsync(call, isRead ? caller.Value.Length : 0, caller.Key, isRead ? [] : caller.Value).ConfigureAwait(false))
            {
                await caller.FailedAsync("Closed").ConfigureAwait(false);
            }
            else if (isRead)
            {
                caller.Found();
            }
            else
            {
                caller.Stored();
            }
        }
    }

    /// <inheritdoc/>
    public async Task<string?> SetAsync(byte[] key, byte[] value, TimeSpan ttl) =>
        await _link.AskAsync(_link.Open(), 0, key, value).ConfigureAwait(false) ? null : "the connection is closed";

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _link.Dispose();
        return ValueTask.CompletedTask;
    }

    private sealed class Link(IByteTransport transport) : FloorLink(transport)
    {
        private FloorCall[] _calls = [];
        private volatile bool _hasEnded;

        public FloorCall Open()
        {
            lock (this)
            {
                FloorCall call = new(_calls.Length);
                Volatile.Write(ref _calls, [.. _calls, call]);
                return call;
            }
        }

        public ValueTask<bool> AskAsync(FloorCall call, int wanted, byte[] key, byte[] value)
        {
            if (_hasEnded)
            {
                return new(false);
            }

            ValueTask<bool> answer = call.WaitAsync();
            Send(call.Number, wanted, key, value);
            return answer;
        }

        protected override void OnMessage(int call, int wanted) => Volatile.Read(ref _calls)[call].Answer(true);

        protected override void OnEnded()
        {
            _hasEnded = true;
            foreach (FloorCall call in Volatile.Read(ref _calls))
            {
                call.Answer(false);
            }
        }
    }
}
