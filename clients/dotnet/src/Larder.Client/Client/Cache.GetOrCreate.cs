using Larder.Client.Leases;

namespace Larder.Client;

/// <content>Get-or-create calls, which get a value or create a missing one.</content>
public sealed partial class Cache
{
    private GetOrCreateOptions? _validOptions;

    /// <summary>
    /// Gets an item, or creates and stores it. If several callers of this client request a key at the same time, only one factory runs, and all callers get its
    /// value. If the get or the set fails, the call still succeeds: the value is created and returned as <see cref="GetOrCreateSource.Uncached"/>. If the get
    /// failed, the value is not stored. A factory may request other keys with this method. Two factories that wait for each other, directly or indirectly,
    /// would deadlock. To prevent this, the call that would complete such a cycle does not wait, but creates its own value. The same applies if a factory
    /// requests its own key.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">
    /// Creates the value. The token that it receives is cancelled when no caller is waiting for the value any more. If the factory throws, all callers get the
    /// exception.
    /// </param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or the TTL is invalid.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
    public async ValueTask<GetOrCreateResult<CacheValue>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        await GetOrCreateAsync(key, ItemFactory.Of(factory), ttl, options: null, check: null, codec: null, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Gets an item, or creates and stores it. A lease ensures that at most one caller in all processes creates the value at a time
    /// (<see cref="GetOrCreateOptions.Lease"/>). The options can permit returning expired values, and can add tags to values. If the server does not support
    /// leases, or if it has reached its limit of leases, each process creates its own value. In this case a value with tags is not stored.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">
    /// Creates the value. The token that it receives is cancelled when no caller is waiting for the value any more, except while the factory refreshes an
    /// expired value. If the factory throws, all callers get the exception, unless an expired value may be returned instead.
    /// </param>
    /// <param name="options">Options for loading and storing the value.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">The cache's name, the key or an option is invalid.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
    public async ValueTask<GetOrCreateResult<CacheValue>> GetOrCreateAsync(
        CacheBytes key,
        Func<CancellationToken, ValueTask<byte[]>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return await GetOrCreateAsync(key, ItemFactory.Of(factory), options.Ttl, options, check: null, codec: null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Gets an item, or creates and stores it with a lease, in the same way as
    /// <see cref="GetOrCreateAsync(CacheBytes, Func{CancellationToken, ValueTask{byte[]}}, GetOrCreateOptions, CancellationToken)"/>. The factory receives a
    /// context with the stale value. It can declare that the stale value is still valid, and decide how its result is stored.
    /// </summary>
    /// <param name="key">The key: at least one byte.</param>
    /// <param name="factory">
    /// Creates the value. The token that it receives is cancelled when no caller is waiting for the value any more, except while the factory refreshes an
    /// expired value. If the factory throws, all callers get the exception, unless an expired value may be returned instead.
    /// </param>
    /// <param name="options">Options for loading and storing the value.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    /// <exception cref="ArgumentException">The cache's name, the key, an option or a setting of the context is invalid.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
    public async ValueTask<GetOrCreateResult<CacheValue>> GetOrCreateAsync(
        CacheBytes key,
        Func<FactoryContext<byte[]>, CancellationToken, ValueTask<byte[]>> factory,
        GetOrCreateOptions options,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        return await GetOrCreateAsync(key, ItemFactory.Of(factory), options.Ttl, options, check: null, codec: null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gets or creates a value. An optional check decides whether a stored value can be decoded.</summary>
    /// <param name="key">The key.</param>
    /// <param name="factory">Creates the value.</param>
    /// <param name="ttl">The time to live. If null, the client's default time to live applies.</param>
    /// <param name="options">Options for loading and storing the value. If null, no lease is used.</param>
    /// <param name="check">Returns whether a stored value can be decoded. If null, every stored value is accepted.</param>
    /// <param name="codec">The type of the codec. Only callers with the same codec type share a load. Null for plain bytes.</param>
    /// <param name="cancellationToken">Cancels this caller's wait.</param>
    internal async ValueTask<CreatedBytes> GetOrCreateAsync(
        CacheBytes key,
        ItemFactory factory,
        TimeSpan? ttl,
        GetOrCreateOptions? options,
        ValueCheck? check,
        Type? codec,
        CancellationToken cancellationToken)
    {
        if ((CheckTimes(ttl, options, out ulong ttlMs, out ExpiryPolicy? times) ?? _invalidName ?? Arguments.CheckKey(key)) is { } error)
        {
            throw new ArgumentException(error.Reason);
        }

        cancellationToken.ThrowIfCancellationRequested();
        CreationKey creationKey = new(Name, key.ToArray(), codec, StaleOptions.Of(options));
        while (true)
        {
            SharedCreation<CreatedBytes> creation = _client.Creations.GetOrAdd(creationKey, _ => Begin());
            if (!creation.TryJoin())
            {
                _client.Creations.TryRemove(new(creationKey, creation));
                continue;
            }

            try
            {
                return (await creation.WaitAsync(cancellationToken).ConfigureAwait(false))?.Take()
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

        SharedCreation<CreatedBytes> Begin(bool isAlone = false) =>
            new(
                options is null || isAlone ? null : new LeasedItem(_client, Name, creationKey.Key),
                abandoned => CreateAsync(creationKey.Key, factory, ttlMs, options, times, check, isAlone, abandoned));
    }

    /// <summary>
    /// Returns whether a hit may be returned: whether the options of a get-or-create are valid, or its time to live if it has no options. If they are invalid,
    /// the call continues and throws.
    /// </summary>
    internal bool IsValid(TimeSpan? ttl, GetOrCreateOptions? options)
    {
        if (options is null)
        {
            return CheckTtl(ttl, out _) is null;
        }

        // An application usually passes the same options to each call. They contain the time to live.
        if (!ReferenceEquals(options, Volatile.Read(ref _validOptions)))
        {
            if (CheckTimes(options.Ttl, options, out _, out _) is not null)
            {
                return false;
            }

            Volatile.Write(ref _validOptions, options);
        }

        return true;
    }

    /// <summary>Gets a value or creates it with a lease. The key was missing a moment ago.</summary>
    internal Task<CreatedBytes> CreateWithLeaseAsync(
        CacheBytes key,
        ItemFactory factory,
        GetOrCreateOptions options,
        ExpiryPolicy times,
        ValueCheck? check,
        CancellationToken abandoned)
    {
        LeaseCalls calls = new(_runner, Name, _timeout);
        return new LeasedCreation(calls, key, factory, options, times, check, _client.Background, _client.Logger, _client.FailureLog).RunAsync(abandoned);
    }

    // Returns an error if the time to live is invalid, alone or with the options.
    private CacheError? CheckTimes(TimeSpan? ttl, GetOrCreateOptions? options, out ulong ttlMs, out ExpiryPolicy? times)
    {
        options?.Check();
        CacheError? error = CheckTtl(ttl, out ttlMs);
        times = options is null ? null : new ExpiryPolicy(options, ttlMs);
        return error ?? times?.Check();
    }

    // Creates a value for one caller. Other callers cannot wait for this creation, so waiting for it cannot cause a deadlock.
    private static async Task<CreatedBytes> AloneAsync(SharedCreation<CreatedBytes> creation, CancellationToken cancellationToken)
    {
        creation.TryJoin();
        return (await creation.WaitAsync(cancellationToken).ConfigureAwait(false))!;
    }

    // Runs one creation. It starts with a plain get, even if a lease is used, because a get is cheaper than a lease request and may find the value in the near
    // cache.
    private async Task<CreatedBytes> CreateAsync(
        CacheBytes key,
        ItemFactory factory,
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

        // If no caller is waiting any more, the get was cancelled. This is not a failure of the cache.
        abandoned.ThrowIfCancellationRequested();
        CacheError? failure = read.Error;
        if (failure is null && options is not null && times is not null && !isAlone)
        {
            return await CreateWithLeaseAsync(key, factory, options, times, check, abandoned).ConfigureAwait(false);
        }

        CreatedItem made = await FactoryInvoker.MakeAsync(cancelled => factory.RunAsync(stale: null, cancelled), options?.HardTimeout, abandoned)
            .ConfigureAwait(false);
        if (made.DoNotStore)
        {
            return CreatedBytes.Created(made.Value);
        }

        // If there are options, a creation of the same key with a lease is waiting for the factory that requested this value. That creation stores its own
        // value, so this value is not stored.
        if (failure is null && options is null)
        {
            failure = await new LeaseCalls(_runner, Name, _timeout).SetAsync(key, made.Value, ttlMs, abandoned).ConfigureAwait(false);
        }

        return FactoryInvoker.Answer(made.Value, Name, failure, _client.Logger, _client.FailureLog);
    }
}
