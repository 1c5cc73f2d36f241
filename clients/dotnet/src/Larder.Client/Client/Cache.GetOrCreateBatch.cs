using Larder.Client.Leases;

namespace Larder.Client;

/// <content>Batches of get-or-create calls, which get values or create missing ones.</content>
public sealed partial class Cache
{
    /// <summary>
    /// Gets many items with one call, creates missing values with one call of the factory, and stores the created values with one call. Loads are not shared
    /// with other callers. If reading a key fails, its value is created but not stored. A value that is not stored is returned as
    /// <see cref="GetOrCreateSource.Uncached"/>.
    /// </summary>
    /// <param name="keys">The keys. The results are in the order of the keys. The list may be empty, and may contain a key several times.</param>
    /// <param name="factory">
    /// Receives the missing keys, each key once, and returns one value for each of them, in the same order. If the factory throws, the caller gets the
    /// exception.
    /// </param>
    /// <param name="ttl">
    /// The time to live: greater than 0, and at most 365 days or the server's limit if that is lower. If null, the client's default time to live applies.
    /// </param>
    /// <param name="cancellationToken">Cancels the call. It is also passed to the factory.</param>
    /// <exception cref="ArgumentException">The cache's name, a key or the TTL is invalid, or there are more than 1,000,000 keys.</exception>
    /// <exception cref="InvalidOperationException">The factory returned the wrong number of values, or a null value.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
    public async ValueTask<IReadOnlyList<GetOrCreateResult<CacheValue>>> GetOrCreateBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        await GetOrCreateBatchAsync(keys, factory, ttl, check: null, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Gets or creates values. If <paramref name="check"/> rejects a stored value, because a codec cannot decode it, the value is treated as missing.
    /// </summary>
    internal async ValueTask<CreatedBytes[]> GetOrCreateBatchAsync(
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        TimeSpan? ttl,
        ValueCheck? check,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(keys);
        ArgumentNullException.ThrowIfNull(factory);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? CheckTtl(ttl, out _) ?? _invalidName ?? Arguments.CheckKeys(all);
        if (error is not null)
        {
            throw new ArgumentException(error.Reason);
        }

        if (all.Length == 0)
        {
            return [];
        }

        // Copy the keys, because the caller may change its arrays during the call.
        CacheBytes[] distinct = [.. all.Select(static key => (CacheBytes)key.ToArray()).Distinct()];
        Dictionary<CacheBytes, CreatedBytes> answers = [];
        Dictionary<CacheBytes, CacheError?> missing = [];
        Sort(await GetBatchAsync(distinct, cancellationToken).ConfigureAwait(false), distinct, check, answers, missing);
        cancellationToken.ThrowIfCancellationRequested();
        if (missing.Count > 0)
        {
            CacheBytes[] wanted = [.. distinct.Where(missing.ContainsKey)];
            byte[][] made = await FactoryInvoker.MakeAsync(factory, wanted, cancellationToken).ConfigureAwait(false);
            SetBatchItem[] items = [.. wanted.Zip(made, static (key, value) => new SetBatchItem(key, value)).Where(item => missing[item.Key] is null)];
            await StoreAsync(items, ttl, missing, cancellationToken).ConfigureAwait(false);
            foreach ((CacheBytes key, byte[] value) in wanted.Zip(made))
            {
                answers[key] = FactoryInvoker.Answer(value, Name, missing[key], _client.Logger, _client.FailureLog);
            }
        }

        // If a key is requested several times, each result has its own bytes.
        HashSet<CacheBytes> given = [];
        return [.. all.Select(key => given.Add(key) ? answers[key] : answers[key].Copy())];
    }

    // Adds each key either to answers or to missing. If the get of a missing key failed, the key's entry is the error, and the created value must not be
    // stored. Otherwise the entry is null.
    private static void Sort(
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> read,
        CacheBytes[] keys,
        ValueCheck? check,
        Dictionary<CacheBytes, CreatedBytes> answers,
        Dictionary<CacheBytes, CacheError?> missing)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            object? meaning = null;
            if (!read.TryGetValue(out IReadOnlyList<LookupResult<CacheValue>>? results))
            {
                missing[keys[i]] = read.Error;
            }
            else if (results[i] is ItemHit hit && (check is null || check(hit.Bytes, out meaning)))
            {
                answers[keys[i]] = CreatedBytes.Hit(hit.Value.ToArray(), meaning);
            }
            else
            {
                missing[keys[i]] = results[i].Error;
            }
        }
    }

    private async ValueTask StoreAsync(
        SetBatchItem[] items,
        TimeSpan? ttl,
        Dictionary<CacheBytes, CacheError?> missing,
        CancellationToken cancellationToken)
    {
        if (items.Length == 0)
        {
            return;
        }

        CacheResult<IReadOnlyList<CacheResult>> stored = await SetBatchAsync(items, ttl, cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < items.Length; i++)
        {
            missing[items[i].Key] = stored.TryGetValue(out IReadOnlyList<CacheResult>? results) ? results[i].Error : stored.Error;
        }
    }
}
