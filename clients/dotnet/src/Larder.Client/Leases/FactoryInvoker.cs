using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>What a factory made, with a lease or without.</summary>
internal static class FactoryInvoker
{
    /// <exception cref="InvalidOperationException">The factory made null.</exception>
    public static async ValueTask<byte[]> MakeAsync(Func<CancellationToken, ValueTask<byte[]>> factory, CancellationToken abandoned) =>
        await factory(abandoned).ConfigureAwait(false) ?? throw new InvalidOperationException("The factory made null, which is no value.");

    /// <summary>The same within a time; <paramref name="timeout"/> null: however long it takes.</summary>
    /// <exception cref="TimeoutException">It took longer, and its token is cancelled; what it still makes is nobody's.</exception>
    public static async ValueTask<byte[]> MakeAsync(Func<CancellationToken, ValueTask<byte[]>> factory, TimeSpan? timeout, CancellationToken abandoned)
    {
        if (timeout is not { } most)
        {
            return await MakeAsync(factory, abandoned).ConfigureAwait(false);
        }

        // Disposed with the factory's end, which may be later than this call's.
        CancellationTokenSource given = CancellationTokenSource.CreateLinkedTokenSource(abandoned);
        Task<byte[]> making = MakeAsync(factory, given.Token).AsTask();
        _ = making.ContinueWith(
            ended =>
            {
                _ = ended.Exception;
                given.Dispose();
            },
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        await ((Task)making).WaitAsync(most, abandoned).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (making.IsCompleted || abandoned.IsCancellationRequested)
        {
            return await making.ConfigureAwait(false);
        }

        try
        {
            await given.CancelAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is ObjectDisposedException or AggregateException)
        {
            // It ended at this moment, or what it had registered threw.
        }

        throw new TimeoutException($"The factory took longer than {most}.");
    }

    /// <summary>The values of several keys, in their order.</summary>
    /// <exception cref="InvalidOperationException">There is not one for each key, or one is null.</exception>
    public static async ValueTask<byte[][]> MakeAsync(
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        CacheBytes[] keys,
        CancellationToken cancelled)
    {
        IReadOnlyList<byte[]> made = await factory(keys, cancelled).ConfigureAwait(false)
            ?? throw new InvalidOperationException("The factory made null, which is no values.");
        byte[][] values = [.. made.Take(keys.Length + 1)];
        return values.Length != keys.Length
            ? throw new InvalidOperationException($"The factory was to make {keys.Length} values, one for each key, and made another number.")
            : Array.IndexOf(values, null) < 0 ? values : throw new InvalidOperationException("The factory made null, which is no value.");
    }

    /// <summary>The answer to who asked for it.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cache">The cache's name.</param>
    /// <param name="failure">Why it is not stored; null: it is.</param>
    /// <param name="logger">Receives a line about a failure.</param>
    /// <param name="failures">The client's rate limit for such lines.</param>
    public static GetOrCreateResponse Answer(byte[] value, string cache, CacheError? failure, ILogger logger, LogRateLimiter failures)
    {
        if (failure is null)
        {
            return new GetOrCreateResponse.Created(value);
        }

        if (failures.TryPass(logger, out long calls))
        {
            Log.NotCached(logger, cache, failure.Code, calls, failure.Message);
        }

        return new GetOrCreateResponse.Uncached(value, failure);
    }
}
