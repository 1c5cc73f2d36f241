using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Agent;
using Larder.Client;

namespace Larder.Lab.Peers.Near;

/// <summary>
/// Many clients of one server in one process, some with a near stream. The operation <c>read</c> reads the keys of a load at a given rate until the operation
/// <c>rest</c>. <c>note</c> makes every near client read each key once. <c>write</c> writes each key once with a separate client. The near caches have space
/// for only a few copies, so nearly every read is sent to the server.
/// </summary>
internal sealed class NearReaderGroup : PeerClient
{
    private const int Window = 64;

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_ttl = TimeSpan.FromHours(1);

    private readonly CacheClient[] _clients;
    private readonly CacheClient[] _near;
    private readonly CacheClient _writer;
    private readonly string _cache;
    private CancellationTokenSource? _rest;
    private Task<long> _reading = Task.FromResult(0L);

    private NearReaderGroup(CacheClient[] near, CacheClient[] plain, CacheClient writer, string cache)
    {
        (_near, _clients, _writer, _cache) = (near, [.. near, .. plain], writer, cache);
    }

    /// <inheritdoc/>
    public override ILoadTarget Target => throw AgentException.Unsupported("load");

    /// <inheritdoc/>
    public override int? Connections => _clients.Sum(static client => client.Connections);

    /// <summary>
    /// Creates <c>near</c> clients with a near cache, <c>plain</c> clients without a near cache, and one writer without a limit on calls in flight.
    /// </summary>
    public static async Task<IAgentClient> OpenAsync(JsonElement request)
    {
        CredentialProvider server = AgentConfiguration.Credentials(request);
        Configuration plain = Configurations.Laptop.Latest() with { EagerConnect = true, Transport = Transport.Pipeline };
        // The minimum size, which is enough for four copies.
        Configuration near = plain with { NearCache = new NearCache { MaxBytes = 1024 } };
        return new NearReaderGroup(
            await ManyAsync(near, (int)request.RequireLong("near")).ConfigureAwait(false),
            await ManyAsync(plain, (int)request.RequireLong("plain")).ConfigureAwait(false),
            (await ManyAsync(plain with { MaxInFlightPipeline = Configuration.Unlimited }, 1).ConfigureAwait(false))[0],
            request.Text("cache") ?? "cache");

        Task<CacheClient[]> ManyAsync(Configuration configuration, int count) =>
            Task.WhenAll(Enumerable.Range(0, count).Select(_ => CacheClient.CreateAsync(configuration, server, s_ttl).AsTask()));
    }

    /// <inheritdoc/>
    public override JsonObject Describe() => new() { ["client"] = "audience", ["near"] = _near.Length, ["plain"] = _clients.Length - _near.Length };

    /// <inheritdoc/>
    public override async Task<JsonObject> ExecuteAsync(string op, JsonElement request, CancellationToken cancellation) => op switch
    {
        "read" => Read(Keys(request), request.Number("readsPerSecond") ?? 0),
        "rest" => await RestAsync().ConfigureAwait(false),
        "note" => await NoteAsync(Keys(request)).ConfigureAwait(false),
        "write" => await WriteAsync(Keys(request), (int)request.RequireLong("inFlight"), new byte[request.Long("valueBytes") ?? 100]).ConfigureAwait(false),
        _ => throw AgentException.Unsupported(op),
    };

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await RestAsync().ConfigureAwait(false);
        foreach (CacheClient client in _clients.Append(_writer))
        {
            await client.DisposeAsync().ConfigureAwait(false);
        }
    }

    // Returns the keys of the request. They have the same names as the keys of a load.
    private static byte[][] Keys(JsonElement request) =>
    [
        .. Enumerable.Range(0, (int)request.RequireLong("keys"))
            .Select(static key => Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"larder-{key:000000000}"))),
    ];

    private JsonObject Read(byte[][] keys, double readsPerSecond)
    {
        if (_rest is not null)
        {
            throw new AgentException("the clients are already reading");
        }

        _rest = new CancellationTokenSource();
        _reading = Task.Run(() => ReadAsync(keys, readsPerSecond, _rest.Token));
        return AgentAnswer.Result("success");
    }

    private async Task<JsonObject> RestAsync()
    {
        if (_rest is not null)
        {
            await _rest.CancelAsync().ConfigureAwait(false);
            _rest.Dispose();
            _rest = null;
        }

        return AgentAnswer.Result("success").With("reads", await _reading.ConfigureAwait(false));
    }

    // All clients read the first key, then all clients read the second key, and so on. Reads that are due at the same tick are started together.
    private async Task<long> ReadAsync(byte[][] keys, double readsPerSecond, CancellationToken rest)
    {
        Cache[] caches = Array.ConvertAll(_clients, client => client.Cache(_cache));
        long begun = Stopwatch.GetTimestamp();
        long reads = 0;
        while (!rest.IsCancellationRequested)
        {
            long due = (long)(Stopwatch.GetElapsedTime(begun).TotalSeconds * readsPerSecond);
            List<Task> asked = [];
            for (; reads < due && asked.Count < Window * _clients.Length; reads++)
            {
                asked.Add(caches[reads % caches.Length].GetAsync(keys[reads / caches.Length % keys.Length], CancellationToken.None).AsTask());
            }

            await Task.WhenAll(asked).ConfigureAwait(false);
            await Task.Delay(s_tick, CancellationToken.None).ConfigureAwait(false);
        }

        return reads;
    }

    private async Task<JsonObject> NoteAsync(byte[][] keys)
    {
        await Task.WhenAll(_near.Select(client => Task.Run(async () =>
        {
            Cache cache = client.Cache(_cache);
            foreach (byte[][] some in keys.Chunk(Window))
            {
                await Task.WhenAll(some.Select(key => cache.GetAsync(key).AsTask())).ConfigureAwait(false);
            }
        }))).ConfigureAwait(false);
        return AgentAnswer.Result("success").With("notes", (long)_near.Length * keys.Length);
    }

    private async Task<JsonObject> WriteAsync(byte[][] keys, int inFlight, byte[] value)
    {
        int next = 0;
        int failed = 0;
        Cache cache = _writer.Cache(_cache);
        long begun = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, inFlight).Select(_ => Task.Run(async () =>
        {
            for (int key = Interlocked.Increment(ref next) - 1; key < keys.Length; key = Interlocked.Increment(ref next) - 1)
            {
                if (await cache.SetAsync(keys[key], value, s_ttl).ConfigureAwait(false) is { IsError: true })
                {
                    Interlocked.Increment(ref failed);
                }
            }
        }))).ConfigureAwait(false);
        return AgentAnswer.Result("success").With("seconds", Stopwatch.GetElapsedTime(begun).TotalSeconds).With("failed", failed);
    }
}
