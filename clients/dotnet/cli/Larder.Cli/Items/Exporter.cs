using Larder.Client;

namespace Larder.Cli;

/// <summary>Writes items as JSON Lines for import, in small batches.</summary>
/// <param name="cache">The cache.</param>
/// <param name="output">The destination of the lines.</param>
/// <param name="time">The clock from which expiry times are computed.</param>
internal sealed class Exporter(Cache cache, Stream output, TimeProvider time)
{
    // The limits of one batch get. A batch with several items has at most MaxBytes, and a single item has at most 5 MB. A response may have 11 MB.
    private const int MaxKeys = 256;
    private const long MaxBytes = 4 * 1024 * 1024;

    public long Written { get; private set; }

    /// <summary>Gets the number of skipped items. Only scalars can be exported.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Reads the items of a page of keys and writes them. Items that no longer exist are skipped.</summary>
    /// <returns>The error, or null on success.</returns>
    public async ValueTask<CacheError?> WriteAsync(IReadOnlyList<ScannedKey> keys, CancellationToken cancellation)
    {
        long nowMs = time.GetUtcNow().ToUnixTimeMilliseconds();
        List<ScannedKey> some = [];
        long bytes = 0;
        foreach (ScannedKey key in keys)
        {
            if (key.Type != CacheItemType.Scalar)
            {
                LeftOut++;
                continue;
            }

            if (some.Count == MaxKeys || (some.Count > 0 && bytes + key.SizeBytes > MaxBytes))
            {
                if (await WriteSomeAsync(some, nowMs, cancellation).ConfigureAwait(false) is { } failure)
                {
                    return failure;
                }

                some.Clear();
                bytes = 0;
            }

            some.Add(key);
            bytes += key.SizeBytes;
        }

        return some.Count == 0 ? null : await WriteSomeAsync(some, nowMs, cancellation).ConfigureAwait(false);
    }

    private async Task<CacheError?> WriteSomeAsync(List<ScannedKey> some, long nowMs, CancellationToken cancellation)
    {
        CacheResult<IReadOnlyList<LookupResult<CacheValue>>> answer =
            await cache.GetBatchAsync([.. some.Select(static key => (CacheBytes)key.Key)], cancellation).ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
        if (!answer.IsSuccess)
        {
            return answer.Error;
        }

        for (int i = 0; i < some.Count; i++)
        {
            if (answer.Value[i] is { Error: { } failure })
            {
                return failure;
            }

            if (answer.Value[i] is { IsHit: true } hit)
            {
                new ItemLine(some[i].Key.ToArray(), hit.Value.ToArray(), nowMs + (long)some[i].RemainingTtl.TotalMilliseconds).Write(output);
                Written++;
            }
        }

        await output.FlushAsync(cancellation).ConfigureAwait(false);
        return null;
    }
}
