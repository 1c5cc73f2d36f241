using Larder.Client.Leases;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <summary>Loads the value of one key: from the server, or else with the factory.</summary>
internal sealed class EntryLoad<TState, T>(
    LarderHybridCache cache,
    string name,
    CacheBytes key,
    TState state,
    Func<TState, CancellationToken, ValueTask<T>> factory,
    HybridCacheEntryOptions? options,
    EntryTags tags)
{
    private readonly HybridCacheEntryFlags _flags = cache.FlagsOf(options);
    private readonly EntryType<T> _type = cache.Types.Of<T>();
    private T? _made;

    /// <summary>Gets the item whose lease the load uses, or null if it uses none.</summary>
    public LeasedItem? Item => ReadsServer && WritesServer && !Has(HybridCacheEntryFlags.DisableUnderlyingData) ? cache.ItemOf(key) : null;

    private bool ReadsServer => !Has(HybridCacheEntryFlags.DisableDistributedCacheRead);

    private bool WritesServer => !Has(HybridCacheEntryFlags.DisableDistributedCacheWrite);

    /// <summary>Runs the load for all callers that share it.</summary>
    /// <param name="abandoned">Cancelled when no caller waits any more.</param>
    public Task<LoadedValue<T>> RunAsync(CancellationToken abandoned) => RunAsync(isAlone: false, abandoned);

    /// <summary>
    /// Runs the load for one caller, who cannot wait for the shared load because that load waits for the caller. The value is not stored: the shared load
    /// stores its own.
    /// </summary>
    public Task<LoadedValue<T>> RunAloneAsync(CancellationToken cancellationToken) => RunAsync(isAlone: true, cancellationToken);

    private async Task<LoadedValue<T>> RunAsync(bool isAlone, CancellationToken abandoned)
    {
        // Another load may have stored the value in this process since the caller looked for it.
        if (cache.FindLocal<T>(name, _flags) is { } held)
        {
            return held;
        }

        CacheError? failure = null;
        if (ReadsServer)
        {
            LookupResult<CacheValue> read = await ReadAsync(abandoned).ConfigureAwait(false);
            if (read.TryGetValue(out CacheValue stored) && _type.TryLoad(stored.Memory, out LoadedValue<T>? found))
            {
                return found;
            }

            // If no caller waits any more, the read was cancelled. This is not a failure of the server.
            abandoned.ThrowIfCancellationRequested();
            failure = read.Error;
        }

        if (Has(HybridCacheEntryFlags.DisableUnderlyingData))
        {
            return LoadedValue<T>.Shared(default);
        }

        TimeSpan expiration = cache.ExpirationOf(options);
        bool isStorable = tags.Invalid is null && expiration >= TimeSpan.FromMilliseconds(1);
        try
        {
            return ReadsServer && WritesServer && failure is null && isStorable && !isAlone
                ? await LeasedAsync(expiration, abandoned).ConfigureAwait(false)
                : await UnleasedAsync(failure, isStorable && !isAlone ? expiration : null, abandoned).ConfigureAwait(false);
        }
        catch (OversizedValueException<T> oversized)
        {
            cache.NotStored(oversized.Message);
            return oversized.Value;
        }
    }

    private async ValueTask<LookupResult<CacheValue>> ReadAsync(CancellationToken abandoned)
    {
        if (!Has(HybridCacheEntryFlags.DisableLocalCacheWrite))
        {
            return Has(HybridCacheEntryFlags.DisableLocalCacheRead) || cache.LocalExpirationOf(options) is not null
                ? await cache.Cache.GetFromServerAsync(key, abandoned).ConfigureAwait(false)
                : await cache.Cache.GetAsync(key, abandoned).ConfigureAwait(false);
        }

        // The near cache keeps no copy of a value that a batch has read.
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> batch = await cache.Cache.GetBatchAsync([key], abandoned).ConfigureAwait(false);
        return batch.IsError ? LookupResult<CacheValue>.Failed(batch.Error) : batch.Value[0];
    }

    private async Task<LoadedValue<T>> LeasedAsync(TimeSpan expiration, CancellationToken abandoned)
    {
        (TimeSpan ttl, CacheError? unknown) = await cache.Longest.CapAsync(expiration, isMarker: false, isRefused: false, abandoned).ConfigureAwait(false);
        if (unknown is not null || Arguments.CheckTtl(ttl, out ulong ttlMs) is not null)
        {
            return await UnleasedAsync(unknown, expiration: null, abandoned).ConfigureAwait(false);
        }

        GetOrCreateOptions loading = cache.LoadingOf(tags, ttl);
        CreatedBytes result = await cache.Cache
            .CreateWithLeaseAsync(key, ItemFactory.Of(MakeAsync), loading, new ExpiryPolicy(loading, ttlMs), Check, abandoned).ConfigureAwait(false);
        if (result.Read is LoadedValue<T> read)
        {
            return read;
        }

        byte[] bytes = result.Value.ToArray();
        if (result.Error is { IsUnsupported: true } && tags.Names.Length == 0)
        {
            // The server has no leases.
            LogFailure((await cache.Cache.SetAsync(key, bytes, ttl, abandoned).ConfigureAwait(false)).Error);
        }
        else if (result.Error is { Code: CacheErrorCode.InvalidArgument })
        {
            // The server's maximum TTL is smaller than the known one. The value is not stored without a lease, because another caller may have written the key
            // meanwhile. Only the known maximum is refreshed.
            LogFailure((await cache.Longest.AskAsync(abandoned, MaxTtlCache.FreshFor).ConfigureAwait(false)).Error);
        }

        return Made(bytes);
    }

    // Loads a value without a lease. Stores it if expiration is not null.
    private async Task<LoadedValue<T>> UnleasedAsync(CacheError? failure, TimeSpan? expiration, CancellationToken abandoned)
    {
        byte[] bytes = await FactoryInvoker.MakeAsync(MakeAsync, cache.Loading.HardTimeout, abandoned).ConfigureAwait(false);
        LoadedValue<T> made = Made(bytes);
        if (!WritesServer)
        {
            cache.KeepLocally(name, made, bytes.Length, options, tags, tags.Invalid);
        }
        else if (failure is null && expiration is { } life)
        {
            failure = await cache.StoreAsync(key, bytes, life, tags, abandoned).ConfigureAwait(false);
        }
        else if (tags.Invalid is { } reason)
        {
            cache.NotStored(reason);
        }

        LogFailure(failure);
        return made;
    }

    private async ValueTask<byte[]> MakeAsync(CancellationToken abandoned)
    {
        _made = await factory(state, abandoned).ConfigureAwait(false);

        // An object that is only kept in this process counts with its uncompressed length.
        bool compress = !Has(HybridCacheEntryFlags.DisableCompression) && (WritesServer || !_type.IsImmutable);
        return _type.Serialize(_made, compress, out byte[] stored) is { } reason
            ? throw new OversizedValueException<T>(_type.LoadOversized(_made), reason)
            : stored;
    }

    // Returns the value that the factory has just created.
    private LoadedValue<T> Made(byte[] bytes) => _type.IsImmutable ? LoadedValue<T>.Shared(_made) : LoadedValue<T>.Copied(_type, bytes);

    private bool Check(byte[] stored, out object? read)
    {
        bool isLoaded = _type.TryLoad(stored, out LoadedValue<T>? loaded);
        read = loaded;
        return isLoaded;
    }

    private void LogFailure(CacheError? failure)
    {
        if (failure is not null)
        {
            cache.NotStored(failure);
        }
    }

    private bool Has(HybridCacheEntryFlags flag) => (_flags & flag) != 0;
}
