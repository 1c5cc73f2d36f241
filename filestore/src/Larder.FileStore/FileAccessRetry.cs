namespace Larder.FileStore;

/// <summary>
/// Retries file accesses. The class exists for code written for Net.DistributedFileStoreCache, which has the same methods. The cache itself waits for its lock
/// instead of retrying.
/// </summary>
public static class FileAccessRetry
{
    /// <summary>Retries <paramref name="applyAction"/> while it throws <see cref="UnauthorizedAccessException"/> or <see cref="IOException"/>.</summary>
    /// <param name="options">The settings with the number of retries and the delay between them.</param>
    /// <param name="applyAction">The action to run.</param>
    /// <exception cref="DistributedFileStoreCacheException">The last attempt failed.</exception>
    public static void TryAgainOnUnauthorizedAccess(this DistributedFileStoreCacheOptions options, Action applyAction)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(applyAction);
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                applyAction();
                return;
            }
            catch (Exception e) when (e is UnauthorizedAccessException or IOException)
            {
                ThrowAtLast(options, attempt, e);
            }
            Thread.Sleep(options.DelayMillisecondsOnUnauthorizedAccess);
        }
    }

    /// <summary>The asynchronous version of <see cref="TryAgainOnUnauthorizedAccess"/>.</summary>
    /// <param name="options">The settings with the number of retries and the delay between them.</param>
    /// <param name="applyAsync">The action to run.</param>
    /// <exception cref="DistributedFileStoreCacheException">The last attempt failed.</exception>
    public static async Task TryAgainOnUnauthorizedAccessAsync(this DistributedFileStoreCacheOptions options, Func<ValueTask> applyAsync)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(applyAsync);
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                await applyAsync().ConfigureAwait(false);
                return;
            }
            catch (Exception e) when (e is UnauthorizedAccessException or IOException)
            {
                ThrowAtLast(options, attempt, e);
            }
            await Task.Delay(options.DelayMillisecondsOnUnauthorizedAccess).ConfigureAwait(false);
        }
    }

    private static void ThrowAtLast(DistributedFileStoreCacheOptions options, int attempt, Exception e)
    {
        if (attempt >= options.NumTriesOnUnauthorizedAccess)
        {
            throw new DistributedFileStoreCacheException(
                $"Access to the file failed {attempt + 1} times, with {options.DelayMillisecondsOnUnauthorizedAccess} ms between the attempts: "
                    + e.Message,
                e);
        }
    }
}
