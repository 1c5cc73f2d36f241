using Larder.Client.Leases;

namespace Larder.Client;

/// <content>Gets that create missing values.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets an item, or creates and stores it. If several callers of this client request a key at once, one factory runs and all of them get its value. If the
    /// cache fails, the call still succeeds: the value is created and returned as <see cref="GetOrCreateSource.Uncached"/>, and is not stored if the get
    /// failed. A factory may request other keys. If it requests its own key, or a key whose factory waits for it, it creates that value itself.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">Creates the value. Its token is cancelled when no caller waits any more. Callers get its exception.</param>
    /// <param name="ttl">The time to live: over 0, at most 365 days or the server's limit. The default is the client's.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or the TTL is invalid.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public async ValueTask<GetOrCreateResult<CacheValue>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        await GetOrCreateAsync(key, factory, ttl, options: null, check: null, codec: null, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Gets an item, or creates and stores it once for all processes (<see cref="GetOrCreateOptions.Lease"/>). Expired values may be served, and values may
    /// have tags. If the server does not support leases, or has none free, each process creates its own value. A value with tags is not stored then.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">
    /// Creates the value. Its token is cancelled when no caller waits any more, except while it refreshes an expired value. Callers get its exception.
    /// </param>
    /// <param name="options">How the value is loaded and stored.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or an option is invalid.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public async ValueTask<GetOrCreateResult<CacheValue>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return await GetOrCreateAsync(key, factory, options.Ttl, options, check: null, codec: null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gets or creates a value that a codec reads.</summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the value.</param>
    /// <param name="ttl">The time to live. The default is the client's.</param>
    /// <param name="options">How the value is loaded and stored. If null, no lease is used.</param>
    /// <param name="check">Returns whether the stored value can be read. If null, every value can.</param>
    /// <param name="codec">The type of the codec. Only callers with the same codec share a load.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    internal async ValueTask<CreatedBytes> GetOrCreateAsync(
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
        CacheError? error = CheckTtl(ttl, out ulong ttlMs) ?? _invalidName ?? Arguments.CheckKey(key);
        ExpiryPolicy? times = options is null ? null : new ExpiryPolicy(options, ttlMs);
        if ((error ?? times?.Check()) is { } refused)
        {
            throw new ArgumentException(refused.Reason);
        }

        CreationKey creationKey = new(Name, key.ToArray(), codec);
        while (true)
        {
            SharedCreation creation = _client.Creations.GetOrAdd(creationKey, _ => Begin());
            if (!creation.TryJoin())
            {
                _client.Creations.TryRemove(new(creationKey, creation));
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
                    _client.Creations.TryRemove(new(creationKey, creation));
                }
            }
        }

        SharedCreation Begin(bool isAlone = false) =>
            new(abandoned => CreateAsync(creationKey.Key, factory, ttlMs, options, times, check, isAlone, abandoned));
    }

    // Other callers cannot join this creation, so it cannot be part of a cycle of waits and may be awaited.
    private static async Task<CreatedBytes> AloneAsync(SharedCreation creation, CancellationToken cancellationToken)
    {
        creation.TryJoin();
        return (await creation.WaitAsync(cancellationToken).ConfigureAwait(false))!;
    }

    // The get comes first, also with a lease: it is cheaper than a lease request, and a near copy can serve it.
    private async Task<CreatedBytes> CreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        ulong ttlMs,
        GetOrCreateOptions? options,
        ExpiryPolicy? times,
        ValueCheck? check,
        bool isAlone,
        CancellationToken abandoned)
    {
        LookupResult<CacheValue> read = await GetAsync(key, abandoned).ConfigureAwait(false);
        object? meaning = null;
        if (read is ItemHit hit && (check is null || check(hit.Bytes, out meaning)))
        {
            return CreatedBytes.Hit(hit.Value.ToArray(), meaning);
        }

        // If all callers have left, the get was cancelled. The cache did not fail.
        abandoned.ThrowIfCancellationRequested();
        LeaseCalls calls = new(_runner, Name, _timeout);
        CacheError? failure = read.Error;
        if (failure is null && options is not null && times is not null && !isAlone)
        {
            LeasedCreation creation = new(calls, key, factory, options, times, check, _client.Background, _client.Logger, _client.FailureLog);
            return await creation.RunAsync(abandoned).ConfigureAwait(false);
        }

        byte[] value = await FactoryInvoker.MakeAsync(factory, options?.HardTimeout, abandoned).ConfigureAwait(false);

        // A nested creation has no lease. The creation that waits for it holds the lease and stores its own value.
        if (failure is null && options is null)
        {
            failure = await calls.SetAsync(key, value, ttlMs, abandoned).ConfigureAwait(false);
        }

        return FactoryInvoker.Answer(value, Name, failure, _client.Logger, _client.FailureLog);
    }
}
