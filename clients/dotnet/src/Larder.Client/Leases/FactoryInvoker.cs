using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>Runs the factories of get-or-create calls.</summary>
internal static class FactoryInvoker
{
    /// <summary>Runs a factory with a timeout. If <paramref name="timeout"/> is null, the factory runs without a timeout.</summary>
    /// <exception cref="TimeoutException">
    /// The factory took longer than the timeout. The token passed to the factory is cancelled, and the factory's value is discarded.
    /// </exception>
    public static async ValueTask<TMade> MakeAsync<TMade>(Func<CancellationToken, ValueTask<TMade>> factory, TimeSpan? timeout, CancellationToken abandoned)
    {
        if (timeout is not { } most)
        {
            return await factory(abandoned).ConfigureAwait(false);
        }

        // Disposed when the factory ends, which may be after this call has returned.
        CancellationTokenSource given = CancellationTokenSource.CreateLinkedTokenSource(abandoned);
        Task<TMade> making = StartAsync(factory, given.Token);
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

        await CancelAsync(given).ConfigureAwait(false);
        throw new TimeoutException($"The factory took longer than its timeout of {most}.");
    }

    // Starts a factory. If it throws before its first await, the task contains the exception.
    private static async Task<TMade> StartAsync<TMade>(Func<CancellationToken, ValueTask<TMade>> factory, CancellationToken cancelled) =>
        await factory(cancelled).ConfigureAwait(false);

    /// <summary>Cancels a factory whose value is not needed any more.</summary>
    public static async ValueTask CancelAsync(CancellationTokenSource given)
    {
        try
        {
            await given.CancelAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is ObjectDisposedException or AggregateException)
        {
            // The factory ended at this moment and the source was disposed, or a registered callback threw. Both can be ignored.
        }
    }

    /// <summary>Creates the values of several keys, in order.</summary>
    /// <exception cref="InvalidOperationException">The factory did not return one value for each key, or a value is null.</exception>
    public static async ValueTask<byte[][]> MakeAsync(
        Func<IReadOnlyList<CacheBytes>, CancellationToken, ValueTask<IReadOnlyList<byte[]>>> factory,
        CacheBytes[] keys,
        CancellationToken cancelled)
    {
        IReadOnlyList<byte[]> made = await factory(keys, cancelled).ConfigureAwait(false)
            ?? throw new InvalidOperationException("The factory returned null; it must return a list of values.");
        byte[][] values = [.. made.Take(keys.Length + 1)];
        return values.Length != keys.Length
            ? throw new InvalidOperationException($"The factory must return {keys.Length} values, one for each key, but returned a different number of values.")
            : Array.IndexOf(values, null) < 0 ? values : throw new InvalidOperationException("The factory returned null; it must return a value.");
    }

    /// <summary>Returns the result of a get-or-create whose factory has created the value. Logs the failure if the value was not stored.</summary>
    /// <param name="value">The created value.</param>
    /// <param name="cache">The cache's name.</param>
    /// <param name="failure">The reason why the value was not stored, or null if it was stored.</param>
    /// <param name="logger">The logger of failures.</param>
    /// <param name="failures">The client's rate limiter for log lines about failures.</param>
    public static CreatedBytes Answer(byte[] value, string cache, CacheError? failure, ILogger logger, LogRateLimiter failures)
    {
        if (failure is null)
        {
            return CreatedBytes.Created(value);
        }

        if (failures.TryPass(logger, out long calls))
        {
            Log.NotCached(logger, cache, failure.Code, calls, failure.Message);
        }

        return CreatedBytes.Uncached(value, failure);
    }
}
