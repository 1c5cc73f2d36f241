namespace Larder.FileStore;

/// <summary>The older library's retry of file accesses, for code that used it. The cache itself retries nothing: its lock is waited for.</summary>
public static class FileAccessRetry
{
    /// <summary>Runs <paramref name="applyAction"/> again while it throws <see cref="UnauthorizedAccessException"/> or <see cref="IOException"/>.</summary>
    /// <param name="options">How often and how long apart.</param>
    /// <param name="applyAction">What to do.</param>
    /// <exception cref="DistributedFileStoreCacheException">It still failed at the last attempt.</exception>
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

    /// <summary>As <see cref="TryAgainOnUnauthorizedAccess"/>, asynchronously.</summary>
    /// <param name="options">How often and how long apart.</param>
    /// <param name="applyAsync">What to do.</param>
    /// <exception cref="DistributedFileStoreCacheException">It still failed at the last attempt.</exception>
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
                $"The file access still failed after {attempt + 1} attempts, {options.DelayMillisecondsOnUnauthorizedAccess} ms apart: {e.Message}", e);
        }
    }
}
