using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using Larder.Wire;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// Checks four times per second what a tenant, its supervisor and its operator expect of a server. The checks cover the server's health, a new connection, a
/// large value, a lease, an item whose tag was not removed, a topic, and a near stream that must not be cleared. A check at the end covers the audit log.
/// </summary>
internal sealed class TenantChecks : IAsyncDisposable
{
    private const int LargeBytes = 200_000;
    private const ulong TtlMs = 600_000;

    // A tagged item is read in the round that stores it and in this number of later rounds. An attack on tags therefore has 1 s to affect the item.
    private const int TaggedRounds = 4;

    // The number of tags that the tenant removes at the start. It is more than the 64 tags that the server guarantees to each cache.
    private const int OwnTags = 128;

    // The number of tags that the tenant removes in each round.
    private const int RoundTags = 8;

    // The number of the tenant's topics, and the size of each message in bytes. The messages stand for customer orders.
    private const int Topics = 20;
    private const int MessageBytes = 20_000;

    private static readonly TimeSpan s_every = TimeSpan.FromMilliseconds(250);

    // The timeout of a supervisor's probe and of a tenant's call.
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);

    private static int s_rounds;

    private readonly TenantSettings _settings;
    private readonly RpcChannel _channel;
    private readonly RpcHeaders _headers;
    private readonly HttpClient _http = new() { Timeout = s_timeout };
    private readonly CancellationTokenSource _stop = new();
    private readonly Dictionary<string, long> _failures = [];
    private readonly Queue<int> _tagged = new();
    private readonly byte[] _large = new byte[LargeBytes];
    private NearWatch? _near;
    private long _removals;
    private long _evictions;
    private Task _running = Task.CompletedTask;

    private TenantChecks(TenantSettings settings)
    {
        _settings = settings;
        _channel = settings.Open();
        _headers = TenantSettings.Headers(settings.Token);
    }

    /// <summary>Gets the number of checks.</summary>
    public long Count { get; private set; }

    /// <summary>Gets the number of tagged items that were missing because the store had evicted them to free memory.</summary>
    public long Evicted { get; private set; }

    /// <summary>Starts the checks. First makes a call that the server denies. At the end, the audit log must still contain this call.</summary>
    public static async Task<TenantChecks> StartAsync(TenantSettings settings)
    {
        var checks = new TenantChecks(settings);
        await checks.CheckAsync("denied call", checks.DenyAsync).ConfigureAwait(false);
        await checks.CheckAsync("evictions", checks.StartEvictionsAsync).ConfigureAwait(false);
        checks._near = new NearWatch(checks._channel, checks._headers);
        await checks.CheckAsync("near stream", checks._near.OpenAsync).ConfigureAwait(false);
        checks._running = Task.Run(checks.RunAsync);
        return checks;
    }

    /// <summary>Stops the checks and returns the failures by kind.</summary>
    public async Task<JsonObject> StopAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        await CheckAsync("audit log", AuditAsync).ConfigureAwait(false);
        if (_near is { } near)
        {
            await CheckAsync("near cache", () => CountClears(near)).ConfigureAwait(false);
        }

        return new JsonObject(_failures.Select(failure => KeyValuePair.Create(failure.Key, (JsonNode?)failure.Value)));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_near is { } near)
        {
            await near.DisposeAsync().ConfigureAwait(false);
        }

        await _channel.DisposeAsync().ConfigureAwait(false);
        _http.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        using var timer = new PeriodicTimer(s_every);
        try
        {
            do
            {
                int round = Interlocked.Increment(ref s_rounds);
                await CheckAsync("health", HealthAsync).ConfigureAwait(false);
                await CheckAsync("new connection", ConnectAsync).ConfigureAwait(false);
                await CheckAsync("large value", LargeAsync).ConfigureAwait(false);
                await CheckAsync("lease", () => LeaseAsync(round)).ConfigureAwait(false);
                await CheckAsync("tags", () => TagsAsync(round)).ConfigureAwait(false);
                await CheckAsync("topic", () => PublishAsync(round % Topics)).ConfigureAwait(false);
                await CheckAsync("near stream", () => _near!.RenewAsync()).ConfigureAwait(false);
                await CheckAsync("new near stream", OpenNearAsync).ConfigureAwait(false);
            }
            while (await timer.WaitForNextTickAsync(_stop.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            // The checks were stopped.
        }
    }

    private async Task CheckAsync(string name, Func<Task> check)
    {
        Count++;
        try
        {
            await check().ConfigureAwait(false);
        }
#pragma warning disable CA1031 // Any exception is a failure of the check.
        catch (Exception failed)
#pragma warning restore CA1031
        {
            string text = $"{name}: {(failed is RpcException rpc ? $"{rpc.Status.Code} {rpc.FindTrailer(RpcException.CauseTrailer)}" : failed.Message)}";
            _failures[text] = _failures.GetValueOrDefault(text) + 1;
        }
    }

    private async Task HealthAsync()
    {
        using HttpResponseMessage answer = await _http.GetAsync(new Uri($"http://{_settings.Console}/health")).ConfigureAwait(false);
        answer.EnsureSuccessStatusCode();
    }

    private async Task ConnectAsync()
    {
        await using RpcChannel channel = _settings.Open();
        await CallAsync("/cache_client.Scs/Get", AttackItems.Name("tenant"), channel).ConfigureAwait(false);
    }

    private async Task LargeAsync()
    {
        byte[] set = [.. AttackItems.Name("tenant-large"), .. ProtoBytes.Bytes(2, _large), .. ProtoBytes.Number(3, TtlMs)];
        await CallAsync("/cache_client.Scs/Set", set).ConfigureAwait(false);
        await CallAsync("/cache_client.Scs/Get", AttackItems.Name("tenant-large")).ConfigureAwait(false);
    }

    private async Task LeaseAsync(int round)
    {
        byte[] key = AttackItems.Name($"tenant-lease-{round}");
        byte[] answer = await CallAsync("/larder.v1.Extras/GetOrLease", [.. key, .. ProtoBytes.Number(2, 1_000)]).ConfigureAwait(false);
        (int field, _, ReadOnlyMemory<byte> lease) = ProtoBytes.Read(answer).Single();
        if (field != 3)
        {
            throw new IOException($"GetOrLease returned outcome {field} instead of a lease");
        }

        await CallAsync("/larder.v1.Extras/ReleaseLease", [.. key, .. ProtoBytes.Bytes(2, ProtoBytes.Read(lease)[0].Bytes.Span)]).ConfigureAwait(false);
    }

    private async Task TagsAsync(int round)
    {
        if (_removals == 0)
        {
            await RemoveTagsAsync(-round, OwnTags).ConfigureAwait(false);
        }

        byte[] tag = Encoding.ASCII.GetBytes($"tenant-tag-{round}");
        byte[] set = [.. Tagged(round), .. ProtoBytes.Bytes(2, "v"u8), .. ProtoBytes.Number(3, TtlMs), .. ProtoBytes.Bytes(6, tag)];
        await CallAsync("/larder.v1.Extras/SetWithLease", set).ConfigureAwait(false);
        await RemoveTagsAsync(round, RoundTags).ConfigureAwait(false);
        _tagged.Enqueue(round);

        // Reads every item in every round, as an application does. Otherwise a full store might evict items that are not read.
        bool isGone = false;
        foreach (int stored in _tagged)
        {
            byte[] answer = await CallAsync("/cache_client.Scs/Get", Tagged(stored)).ConfigureAwait(false);
            isGone |= !answer.AsSpan().EndsWith("v"u8);
        }

        if (isGone)
        {
            _tagged.Clear();
            await CountEvictionAsync().ConfigureAwait(false);
        }

        if (_tagged.Count > TaggedRounds)
        {
            _tagged.Dequeue();
        }
    }

    // Handles a missing item. If the store has evicted nothing since the last check, the server wrongly treated the item's tag as removed.
    private async Task CountEvictionAsync()
    {
        long evictions = await EvictionsAsync().ConfigureAwait(false);
        if (evictions == _evictions)
        {
            throw new IOException("an item is missing, although its tag was not removed");
        }

        _evictions = evictions;
        Evicted++;
    }

    private async Task StartEvictionsAsync() => _evictions = await EvictionsAsync().ConfigureAwait(false);

    private async Task<long> EvictionsAsync()
    {
        JsonNode caches = await ConsoleAsync("/api/caches").ConfigureAwait(false);
        JsonNode own = caches["caches"]!.AsArray().Single(cache => (string?)cache!["name"] == TenantSettings.Cache)!;
        return (long)own["stats"]!["evictions"]!["memory"]!;
    }

    private Task<byte[]> RemoveTagsAsync(int round, int count)
    {
        _removals++;
        IEnumerable<byte[]> tags = Enumerable.Range(0, count).Select(tag => ProtoBytes.Bytes(1, Encoding.ASCII.GetBytes($"tenant-removed-{round}-{tag}")));
        return CallAsync("/larder.v1.Extras/RemoveByTag", [.. tags.SelectMany(tag => tag)]);
    }

    private static byte[] Tagged(int round) => AttackItems.Name($"tenant-tagged-{round}");

    private Task<byte[]> PublishAsync(int topic)
    {
        byte[] value = ProtoBytes.Bytes(3, ProtoBytes.Bytes(2, _large.AsSpan(0, MessageBytes)));
        byte[] request = [.. ProtoBytes.Bytes(1, "cache"u8), .. ProtoBytes.Bytes(2, Encoding.ASCII.GetBytes($"orders-{topic}")), .. value];
        return CallAsync("/cache_client.pubsub.Pubsub/Publish", request);
    }

    private async Task OpenNearAsync()
    {
        await using NearWatch near = new(_channel, _headers);
        await near.OpenAsync().ConfigureAwait(false);
    }

    private async Task DenyAsync()
    {
        try
        {
            byte[] set = [.. AttackItems.Name("tenant"), .. ProtoBytes.Bytes(2, "v"u8), .. ProtoBytes.Number(3, TtlMs)];
            await CallAsync("/cache_client.Scs/Set", set, _channel, TenantSettings.Headers(_settings.Reader)).ConfigureAwait(false);
            throw new IOException("a write with a read-only token was not denied");
        }
        catch (RpcException denied) when (denied.Status.Code == StatusCode.PermissionDenied)
        {
            // The denial is the expected result.
        }
    }

    private async Task AuditAsync()
    {
        JsonNode log = await ConsoleAsync("/api/audit").ConfigureAwait(false);
        if (!log["entries"]!.AsArray().Any(entry => (string?)entry!["who"] == "tenant-reader"))
        {
            throw new IOException("the denied call is missing from the audit log");
        }
    }

    private async Task<JsonNode> ConsoleAsync(string path)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, new Uri($"http://{_settings.Console}{path}"));
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", _settings.Operator);
        using HttpResponseMessage answer = await _http.SendAsync(request).ConfigureAwait(false);
        answer.EnsureSuccessStatusCode();
        return JsonNode.Parse(await answer.Content.ReadAsStringAsync().ConfigureAwait(false))!;
    }

    // Only the tenant's own removals of tags may clear its near stream.
    private Task CountClears(NearWatch near) =>
        near.Clears <= _removals ? Task.CompletedTask : throw new IOException("the near cache was cleared more often than the tenant removed tags");

    private Task<byte[]> CallAsync(string path, byte[] request, RpcChannel? channel = null, RpcHeaders? headers = null) =>
        (channel ?? _channel).UnaryAsync(BytesCodec.Method(path), request, headers ?? _headers, s_timeout, CancellationToken.None).AsTask();
}
