using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;

namespace Larder.Lab.Peers.Near;

/// <summary>
/// Thousands of near streams in one process, each on its own connection. The operation <c>read</c> makes each stream read its keys once, then reads further
/// keys at a given rate and renews all leases once per second, until <c>rest</c>. <c>delay</c> writes a key that all streams have read, and returns how long
/// the notifications took.
/// </summary>
internal sealed class NearStreamGroup : PeerClient
{
    private const int OpenedAtOnce = 50;
    private const int TicksPerSecond = 200;

    private readonly RawNearStream[] _streams;
    private readonly RawNearStream _writer;
    private CancellationTokenSource? _rest;
    private Task _reading = Task.CompletedTask;

    private NearStreamGroup(RawNearStream[] streams, RawNearStream writer) => (_streams, _writer) = (streams, writer);

    /// <inheritdoc/>
    public override ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public override int? Connections => _streams.Length + 1;

    /// <summary>Opens <c>near</c> near streams to the endpoint, and a stream that writes.</summary>
    public static async Task<IAgentClient> OpenAsync(JsonElement request)
    {
        Uri endpoint = new($"http://{request.Text("endpoint")}");
        string cache = request.Text("cache") ?? "cache";
        List<RawNearStream> streams = [];
        foreach (int[] some in Enumerable.Range(0, (int)request.RequireLong("near")).Chunk(OpenedAtOnce))
        {
            streams.AddRange(await Task.WhenAll(some.Select(_ => RawNearStream.OpenAsync(endpoint, cache, isNear: true))).ConfigureAwait(false));
        }

        return new NearStreamGroup([.. streams], await RawNearStream.OpenAsync(endpoint, cache, isNear: false).ConfigureAwait(false));
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new() { ["client"] = "near-streams", ["near"] = _streams.Length };

    /// <inheritdoc/>
    public override async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation) => op switch
    {
        "read" => await ReadAsync(request).ConfigureAwait(false),
        "rest" => await RestAsync().ConfigureAwait(false),
        "delay" => await DelayAsync((int)request.RequireLong("rounds")).ConfigureAwait(false),
        _ => throw AgentException.Unsupported(op),
    };

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await RestAsync().ConfigureAwait(false);
        foreach (RawNearStream stream in _streams.Append(_writer))
        {
            await stream.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<JsonObject> ReadAsync(JsonElement request)
    {
        // The keys have the same names as the keys of a load.
        byte[][] keys =
        [
            .. Enumerable.Range(0, (int)request.RequireLong("keys"))
                .Select(static key => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"larder-{key:000000000}"))),
        ];
        byte[][] waited = [.. keys.Select(static key => RawNearStream.Get(key, isWaited: true))];
        byte[][] unwaited = [.. keys.Select(static key => RawNearStream.Get(key, isWaited: false))];
        int held = (int)request.RequireLong("held");
        foreach (int[] some in Enumerable.Range(0, _streams.Length).Chunk(OpenedAtOnce))
        {
            await Task.WhenAll(some.Select(stream =>
                _streams[stream].AskAsync([.. Enumerable.Range(0, held).Select(key => waited[Of(stream, key)])]))).ConfigureAwait(false);
        }

        double readsPerSecond = request.Number("readsPerSecond") ?? 0;
        _rest = new CancellationTokenSource();
        _reading = Task.Run(() => LoopAsync(readsPerSecond, _rest.Token));
        return AgentAnswer.Result("success").With("kept", _streams.Sum(static stream => stream.Kept));

        int Of(int stream, int key) => ((stream * held) + (key % held)) % keys.Length;

        async Task LoopAsync(double rate, CancellationToken rest)
        {
            using PeriodicTimer timer = new(TimeSpan.FromSeconds(1.0 / TicksPerSecond));
            long begun = Stopwatch.GetTimestamp();
            long reads = 0;
            for (int tick = 0; _streams.Length > 0 && !rest.IsCancellationRequested; tick++)
            {
                for (int stream = tick % TicksPerSecond; stream < _streams.Length; stream += TicksPerSecond)
                {
                    _streams[stream].Renew();
                }

                for (long due = (long)(Stopwatch.GetElapsedTime(begun).TotalSeconds * rate); reads < due; reads++)
                {
                    int stream = (int)(reads % _streams.Length);
                    _streams[stream].Send(unwaited[Of(stream, (int)(reads / _streams.Length))]);
                }

                await timer.WaitForNextTickAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private async Task<JsonObject> RestAsync()
    {
        if (_rest is not null)
        {
            await _rest.CancelAsync().ConfigureAwait(false);
            await _reading.ConfigureAwait(false);
            _rest.Dispose();
            _rest = null;
        }

        return AgentAnswer.Result("success")
            .With("tickets", _streams.Sum(static stream => stream.Tickets))
            .With("clears", _streams.Sum(static stream => stream.Clears));
    }

    // The delay is from the moment before the set is sent until the notification of each stream arrives.
    private async Task<JsonObject> DelayAsync(int rounds)
    {
        byte[] key = Encoding.UTF8.GetBytes("near-scale-delay");
        byte[] get = RawNearStream.Get(key, isWaited: true);
        byte[] set = RawNearStream.Set(key, new byte[100]);
        List<double> delays = [];
        long missing = 0;
        await _writer.AskAsync([set]).ConfigureAwait(false);
        for (int round = 0; round < rounds; round++)
        {
            foreach (RawNearStream[] some in _streams.Chunk(OpenedAtOnce))
            {
                await Task.WhenAll(some.Select(stream => stream.AskAsync([get]))).ConfigureAwait(false);
            }

            await Task.Delay(100).ConfigureAwait(false);
            long[] tickets = [.. _streams.Select(static stream => stream.Tickets)];
            long begun = Stopwatch.GetTimestamp();
            await _writer.AskAsync([set]).ConfigureAwait(false);
            while (_streams.Where((stream, i) => stream.Tickets == tickets[i]).Any() && Stopwatch.GetElapsedTime(begun).TotalSeconds < 5)
            {
                await Task.Delay(20).ConfigureAwait(false);
            }

            delays.AddRange(_streams.Where((stream, i) => stream.Tickets > tickets[i])
                .Select(stream => Stopwatch.GetElapsedTime(begun, stream.NotifiedAt).TotalMilliseconds));
            missing += _streams.Where((stream, i) => stream.Tickets == tickets[i]).Count();
        }

        delays.Sort();
        return AgentAnswer.Result("success").With("missing", missing).With("p50", At(0.5)).With("p99", At(0.99)).With("max", At(1));

        double At(double part) => delays.Count == 0 ? 0 : delays[Math.Min(delays.Count - 1, (int)(part * delays.Count))];
    }
}
