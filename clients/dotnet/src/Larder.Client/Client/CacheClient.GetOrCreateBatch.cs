using Larder.Client.Leases;

namespace Larder.Client;

/// <content>A batch of gets that makes what is missing.</content>
public sealed partial class CacheClient
{
    /// <summary>
    /// Gets many items with one call, makes those that are missing with one call of the factory, and stores them with one call. No load is shared with other
    /// callers. What could not be read is made and not stored, what could not be stored is answered all the same: <see cref="GetOrCreateResponse.Uncached"/>.
    /// </summary>
    /// <param name="cache">The cache's name.</param>
    /// <param name="keys">The keys, in the order of the answers; may be none, or one several times.</param>
    /// <param name="factory">Makes a value for each of the missing keys that it is given, each once, in their order. Its exception is the caller's.</param>
    /// <param name="ttl">Time to live, over 0 and at most 365 days, or what the server allows; null: the client's default.</param>
    /// <param name="cancellationToken">Frees the caller, and is the factory's.</param>
    /// <exception cref="ArgumentException">The cache's name, a key or the TTL is none, or there are over a million keys.</exception>
    /// <exception cref="InvalidOperationException">The factory made another number of values, or a null.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public async ValueTask<IReadOnlyList<GetOrCreateResponse>> GetOrCreateBatchAsync(
        string cache,
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        TimeSpan? ttl = null,
        CancellationToken cancellationToken = default) =>
        await GetOrCreateBatchAsync(cache, keys, factory, ttl, check: null, cancellationToken).ConfigureAwait(false);

    /// <summary>The same, of values that a codec reads: one that it does not is a miss.</summary>
    internal async ValueTask<GetOrCreateResponse[]> GetOrCreateBatchAsync(
        string cache,
        IReadOnlyList<CacheBytes> keys,
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        TimeSpan? ttl,
        ValueCheck? check,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(keys);
        ArgumentNullException.ThrowIfNull(factory);
        CacheError? error = Arguments.TryRead(keys, out CacheBytes[] all) ?? CheckTtl(ttl, out _) ?? CheckCache(cache) ?? Arguments.CheckKeys(all);
        if (error is not null)
        {
            throw new ArgumentException(error.Reason);
        }

        if (all.Length == 0)
        {
            return [];
        }

        // What a caller does to its arrays meanwhile changes nothing.
        CacheBytes[] distinct = [.. all.Select(static key => (CacheBytes)key.ToArray()).Distinct()];
        Dictionary<CacheBytes, GetOrCreateResponse> answers = [];
        Dictionary<CacheBytes, CacheError?> missing = [];
        Sort(await GetBatchAsync(cache, distinct, cancellationToken).ConfigureAwait(false), distinct, check, answers, missing);
        cancellationToken.ThrowIfCancellationRequested();
        if (missing.Count > 0)
        {
            CacheBytes[] wanted = [.. distinct.Where(missing.ContainsKey)];
            byte[][] made = await MadeValue.MakeAsync(factory, wanted, cancellationToken).ConfigureAwait(false);
            SetBatchItem[] items = [.. wanted.Zip(made, static (key, value) => new SetBatchItem(key, value)).Where(item => missing[item.Key] is null)];
            await StoreAsync(cache, items, ttl, missing, cancellationToken).ConfigureAwait(false);
            foreach ((CacheBytes key, byte[] value) in wanted.Zip(made))
            {
                answers[key] = MadeValue.Answer(value, cache, missing[key], _logger, FailureLog);
            }
        }

        // Of a key that is asked for several times each has bytes of its own.
        HashSet<CacheBytes> given = [];
        return [.. all.Select(key => given.Add(key) ? answers[key] : answers[key].Copy())];
    }

    // Each key is answered, or missing: with why it must not be stored, or null.
    private static void Sort(
        GetBatchResponse read,
        CacheBytes[] keys,
        ValueCheck? check,
        Dictionary<CacheBytes, GetOrCreateResponse> answers,
        Dictionary<CacheBytes, CacheError?> missing)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            object? meaning = null;
            switch (read)
            {
                case GetBatchResponse.Success batch when batch.Responses[i] is GetResponse.Hit hit && (check is null || check(hit.Bytes, out meaning)):
                    answers[keys[i]] = new GetOrCreateResponse.Hit(hit.ToArray()) { Read = meaning };
                    break;
                case GetBatchResponse.Success batch:
                    missing[keys[i]] = (batch.Responses[i] as GetResponse.Error)?.Failure;
                    break;
                case GetBatchResponse.Error failed:
                    missing[keys[i]] = failed.Failure;
                    break;
            }
        }
    }

    private async ValueTask StoreAsync(
        string cache,
        SetBatchItem[] items,
        TimeSpan? ttl,
        Dictionary<CacheBytes, CacheError?> missing,
        CancellationToken cancellationToken)
    {
        if (items.Length == 0)
        {
            return;
        }

        SetBatchResponse stored = await SetBatchAsync(cache, items, ttl, cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < items.Length; i++)
        {
            missing[items[i].Key] = stored switch
            {
                SetBatchResponse.Success batch => (batch.Responses[i] as SetResponse.Error)?.Failure,
                SetBatchResponse.Error failed => failed.Failure,
                _ => null,
            };
        }
    }
}
