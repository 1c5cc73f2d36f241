using System.Collections.Concurrent;
using Larder.Client.Leases;

namespace Larder.Client;

/// <content>A get that makes what is missing.</content>
public sealed partial class CacheClient
{
    // The loads in progress, by cache, key and codec (null: plain bytes). Each client has its own, shared only with its views: clients with other
    // credentials must never receive each other's values (GOC-16). Limit: the number of callers.
    private readonly ConcurrentDictionary<(string Cache, CacheBytes Key, Type? Codec), SharedCreation> _underWay;

    private readonly Uri _endpoint;
    private readonly BackgroundLoads _background;

    /// <summary>
    /// Gets an item, or creates and stores it. If several callers of this client request one key at once, one runs its factory and all get its value.
    /// A cache that fails does not fail the caller: the value is made and answered as <see cref="GetOrCreateResponse.Uncached"/>; after a get that failed
    /// nothing is stored. A factory may ask for other keys; where it asks for one whose factory waits for it, or for its own, it makes that value by itself.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value; its token is cancelled once no caller waits any more. Its exception is the caller's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or the TTL is none.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public ValueTask<GetOrCreateResponse> GetOrCreateAsync(
        string cache,
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        GetOrCreateAsync(cache, key, factory, ttl, options: null, check: null, codec: null, cancellationToken);

    /// <summary>
    /// The same, and of all processes one makes the value (<see cref="GetOrCreateOptions.Lease"/>); it may be served past its time, and have tags. Where the
    /// server knows no leases, or has its most, each process makes a value of its own; what is to have tags is then not stored.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Makes the value; its token is cancelled once no caller waits any more, but not while it makes an expired value anew.</param>
    /// <param name="options">How it is loaded and kept.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or an option is none.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public ValueTask<GetOrCreateResponse> GetOrCreateAsync(
        string cache,
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return GetOrCreateAsync(cache, key, factory, options.Ttl, options, check: null, codec: null, cancellationToken);
    }

    /// <summary>The same, of values that a codec reads.</summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="key">The key.</param>
    /// <param name="factory">Makes the value.</param>
    /// <param name="ttl">Time to live; null: the client's default.</param>
    /// <param name="options">How it is loaded and kept; null: without a lease.</param>
    /// <param name="check">Whether what is stored can be read; null: it always can.</param>
    /// <param name="codec">Callers with another share nothing with this one.</param>
    /// <param name="cancellationToken">Frees this caller.</param>
    internal async ValueTask<GetOrCreateResponse> GetOrCreateAsync(
        string cache,
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        ValueCheck? check,
        Type? codec,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(factory);
        options?.Check();
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? CheckCache(cache) ?? Arguments.CheckKey(key);
        KeptTimes? times = options is null ? null : new KeptTimes(options, ttlMs);
        if ((error ?? times?.Check()) is { } refused)
        {
            throw new ArgumentException(refused.Reason);
        }

        (string Cache, CacheBytes Key, Type? Codec) name = (cache, key.ToArray(), codec);
        while (true)
        {
            SharedCreation creation = _underWay.GetOrAdd(name, _ => Begin());
            if (!creation.TryJoin())
            {
                _underWay.TryRemove(new(name, creation));
                continue;
            }

            try
            {
                return await creation.WaitAsync(cancellationToken).ConfigureAwait(false)
                    ?? await AloneAsync(Begin(isAlone: true), cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                if (creation.IsOver)
                {
                    _underWay.TryRemove(new(name, creation));
                }
            }
        }

        SharedCreation Begin(bool isAlone = false) =>
            new(abandoned => CreateAsync(cache, name.Key, factory, ttlMs, options, times, check, isAlone, abandoned));
    }

    // What nobody else joins waits for nobody yet: it can be waited for.
    private static async Task<GetOrCreateResponse> AloneAsync(SharedCreation creation, CancellationToken cancellationToken)
    {
        creation.TryJoin();
        return (await creation.WaitAsync(cancellationToken).ConfigureAwait(false))!;
    }

    // The get first, with a lease too: it is cheaper than a question for one, and a near copy answers it.
    private async Task<GetOrCreateResponse> CreateAsync(
        string cache,
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        ulong ttlMs,
        GetOrCreateOptions? options,
        KeptTimes? times,
        ValueCheck? check,
        bool isAlone,
        CancellationToken abandoned)
    {
        GetResponse read = await GetAsync(cache, key, abandoned).ConfigureAwait(false);
        object? meaning = null;
        if (read is GetResponse.Hit hit && (check is null || check(hit.Bytes, out meaning)))
        {
            return new GetOrCreateResponse.Hit(hit.ToArray()) { Read = meaning };
        }

        // Nobody waits any more: what its token cancelled is no failure of the cache's.
        abandoned.ThrowIfCancellationRequested();
        LeaseCalls calls = new(_runner, cache, _timeout);
        CacheError? failure = (read as GetResponse.Error)?.Failure;
        if (failure is null && options is not null && times is not null && !isAlone)
        {
            LeasedCreation creation = new(calls, key, factory, options, times, check, _background, _logger, FailureLog);
            return await creation.RunAsync(abandoned).ConfigureAwait(false);
        }

        byte[] value = await MadeValue.MakeAsync(factory, options?.HardTimeout, abandoned).ConfigureAwait(false);

        // One that is alone has no lease: what waits for it has that, and stores what it makes itself.
        if (failure is null && options is null)
        {
            failure = await calls.SetAsync(key, value, ttlMs, abandoned).ConfigureAwait(false);
        }

        return MadeValue.Answer(value, cache, failure, _logger, FailureLog);
    }
}
