using Larder.Client.Leases;
using Microsoft.Extensions.Caching.Hybrid;

namespace Larder.Client;

/// <content>Calls that set and remove entries.</content>
public sealed partial class LarderHybridCache
{
    // The number of removals that RemoveAsync sends at once.
    private const int RemovalsAtOnce = 256;

    // The maximum number of tags of one call (TAG-4).
    private const int TagsPerCall = 128;

    /// <inheritdoc/>
    /// <exception cref="CacheException">The server did not store the entry. The entry that it had may still exist.</exception>
    public override async ValueTask SetAsync<T>(
        string key,
        T value,
        HybridCacheEntryOptions? options = null,
        IEnumerable<string>? tags = null,
        CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        EntryTags entryTags = EntryTags.Read(tags, _prefix, _noTags);
        HybridCacheEntryFlags flags = FlagsOf(options);
        if (!TryKey(key, out CacheBytes stored))
        {
            return;
        }

        EntryType<T> type = Types.Of<T>();
        bool isLocal = (flags & HybridCacheEntryFlags.DisableDistributedCacheWrite) != 0;

        // An object that is only kept in this process counts with its uncompressed length.
        bool compress = (flags & HybridCacheEntryFlags.DisableCompression) == 0 && !(isLocal && type.IsImmutable);
        string? reason = type.Serialize(value, compress, out byte[] bytes) ?? entryTags.Invalid;
        Local.Remove(key);
        if (isLocal)
        {
            LoadedValue<T> held = type.IsImmutable ? LoadedValue<T>.Shared(value) : LoadedValue<T>.Copied(type, bytes);
            KeepLocally(key, held, bytes.Length, options, entryTags, reason);
            return;
        }

        TimeSpan expiration = ExpirationOf(options);
        if (reason is null && expiration >= TimeSpan.FromMilliseconds(1))
        {
            CacheError? error = await StoreAsync(stored, bytes, expiration, entryTags, cancellationToken).ConfigureAwait(false);
            if (error is null || !FailureTolerance.IsTooLarge(error))
            {
                EndSharing(key);
                ThrowIf(error, cancellationToken);
                return;
            }

            reason = error.Reason;
        }

        // The entry cannot be stored. The old value must not remain in its place.
        NotStored(reason ?? "Its expiration is not positive.");
        await RemoveAsync(key, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    /// <exception cref="CacheException">The server did not confirm the removal. Other processes may serve the entry until it expires.</exception>
    public override async ValueTask RemoveAsync(string key, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!TryKey(key, out CacheBytes stored))
        {
            return;
        }

        Local.Remove(key);
        CacheResult removed = await Cache.DeleteAsync(stored, cancellationToken).ConfigureAwait(false);

        // After the removal: a load that started during the call may have read the old value.
        EndSharing(key);
        ThrowIf(removed.Error, cancellationToken);
    }

    /// <inheritdoc/>
    /// <param name="keys">The keys. Null is an empty list, as in .NET's default HybridCache. Invalid keys are ignored.</param>
    /// <param name="cancellationToken">Cancels the calls.</param>
    /// <exception cref="CacheException">The server did not confirm a removal. The other keys are removed nevertheless.</exception>
    public override async ValueTask RemoveAsync(IEnumerable<string> keys, CancellationToken cancellationToken = default)
    {
        Exception? first = null;
        foreach (string[] some in (keys ?? []).Chunk(RemovalsAtOnce))
        {
            Task removals = Task.WhenAll(Array.ConvertAll(some, key => RemoveAsync(key, cancellationToken).AsTask()));
            await removals.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
            first ??= removals.Exception?.InnerException;
        }

        if (first is not null)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(first);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="CacheException">The server did not confirm the removal. Other processes may serve the entries until they expire.</exception>
    public override ValueTask RemoveByTagAsync(string tag, CancellationToken cancellationToken = default) => RemoveByTagAsync([tag], cancellationToken);

    /// <inheritdoc/>
    /// <param name="tags">
    /// The tags. Null is an empty list, as in .NET's default HybridCache. Tags that are null, empty or white space are ignored, because no entry has them.
    /// </param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="CacheException">The server did not confirm the removal. Other processes may serve the entries until they expire.</exception>
    public override async ValueTask RemoveByTagAsync(IEnumerable<string> tags, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        foreach (string[] some in (tags ?? []).Where(static tag => !string.IsNullOrWhiteSpace(tag)).Chunk(TagsPerCall))
        {
            foreach (string tag in some)
            {
                Local.RemoveByTag(tag);
            }

            // No entry has a tag that the server cannot store.
            CacheBytes[] stored = [.. some.Select(tag => EntryTags.Of(tag, _prefix)).Where(EntryTags.CanStore).Distinct()];
            if (stored.Length > 0)
            {
                CacheResult removed = await Cache.RemoveByTagAsync(stored, cancellationToken).ConfigureAwait(false);
                _loads.Clear();
                ThrowIf(removed.Error, cancellationToken);
            }
        }
    }

    /// <summary>Stores an entry on the server without a lease. Returns the error, or null.</summary>
    internal async ValueTask<CacheError?> StoreAsync(CacheBytes key, byte[] value, TimeSpan expiration, EntryTags tags, CancellationToken token)
    {
        CacheError? refusal = null;
        while (true)
        {
            (TimeSpan ttl, CacheError? unknown) =
                await Longest.CapAsync(expiration, isMarker: false, isRefused: refusal is not null, token).ConfigureAwait(false);
            if (unknown is not null || Arguments.CheckTtl(ttl, out ulong ttlMs) is { })
            {
                return refusal ?? unknown ?? Arguments.CheckTtl(ttl, out _);
            }

            GetOrCreateOptions loading = LoadingOf(tags, ttl);
            (ulong storedMs, ulong staleMs) = new ExpiryPolicy(loading, ttlMs).Stored(ttlMs, Random.Shared.NextDouble());
            CacheError? error = await Cache.StoreAsync(key, value, storedMs, staleMs, tags.Stored, token).ConfigureAwait(false);
            switch (error)
            {
                case { IsUnsupported: true } when tags.Names.Length == 0:
                    // A server without tags. The tag of all entries is not needed there, because RemoveByTagAsync fails.
                    return (await Cache.SetAsync(key, value, ttl, token).ConfigureAwait(false)).Error;
                case { Code: CacheErrorCode.InvalidArgument } when refusal is null:
                    // The server's maximum TTL may be smaller than the known one.
                    refusal = error;
                    continue;
                default:
                    return error;
            }
        }
    }

    /// <summary>Returns the options of a load for one entry.</summary>
    internal GetOrCreateOptions LoadingOf(EntryTags tags, TimeSpan ttl) => Loading with
    {
        Tags = tags.Stored,
        RefreshAheadFor = Loading.RefreshAheadFor < ttl / 2 ? Loading.RefreshAheadFor : TimeSpan.FromMilliseconds(Math.Floor(ttl.TotalMilliseconds / 2)),
    };

    /// <summary>Keeps a value in the memory of this process, for calls that do not use the server.</summary>
    /// <param name="key">The entry's key.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytes">The length of the serialized value.</param>
    /// <param name="options">The options of the call.</param>
    /// <param name="tags">The entry's tags.</param>
    /// <param name="invalid">The reason why the value must not be stored, or null.</param>
    internal void KeepLocally<T>(string key, LoadedValue<T> value, int bytes, HybridCacheEntryOptions? options, EntryTags tags, string? invalid)
    {
        TimeSpan expiration = ExpirationOf(options);
        TimeSpan life = LocalExpirationOf(options) is { } local && local < expiration ? local : expiration;
        if (invalid is not null)
        {
            NotStored(invalid);
        }
        else if ((FlagsOf(options) & HybridCacheEntryFlags.DisableLocalCacheWrite) == 0 && life > TimeSpan.Zero)
        {
            Local.Put(key, value, bytes, life, tags.Names);
        }
    }

    private static void ThrowIf(CacheError? error, CancellationToken token)
    {
        if (error is { Code: CacheErrorCode.Cancelled })
        {
            token.ThrowIfCancellationRequested();
        }

        if (error is not null)
        {
            throw new CacheException(error);
        }
    }
}
