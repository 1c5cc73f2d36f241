using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>
/// Handles the failures of a cache that fails open: decides which failures to tolerate, counts the tolerated ones and logs them at a limited rate.
/// </summary>
internal sealed class FailureTolerance(bool isOn, ILogger? logger, LogRateLimiter failures)
{
    private static readonly Meter Figures = new(Telemetry.Name);

    private static readonly Counter<long> Counted =
        Figures.CreateCounter<long>("cache.client.failed_open", "{call}", "Failed calls that were treated as misses or ignored.");

    private readonly GuardedLogger _logger = new(logger ?? NullLogger.Instance);
    private long _tolerated;

    /// <summary>Gets the number of tolerated failures.</summary>
    public long Tolerated => Interlocked.Read(ref _tolerated);

    /// <summary>
    /// Returns true if the caller may continue as if the cache were empty. The failure is then counted and logged. If the result is false, the caller must
    /// report the failure.
    /// </summary>
    public bool Tolerates(CacheError error)
    {
        if (!isOn || !IsTolerable(error))
        {
            return false;
        }

        Interlocked.Increment(ref _tolerated);
        UserCode.Run(() => Counted.Add(1, new KeyValuePair<string, object?>("cache.operation", error.Operation)));
        Tell(error);
        return true;
    }

    /// <summary>
    /// Returns true if the server or the connection failed. Returns false for invalid arguments, invalid settings and values that are too large. These errors
    /// also occur with a healthy server, so the caller must see them.
    /// </summary>
    internal static bool IsTolerable(CacheError error) => error.Code switch
    {
        CacheErrorCode.Unavailable or CacheErrorCode.Timeout or CacheErrorCode.ClientOverloaded or CacheErrorCode.Internal or CacheErrorCode.Unknown => true,
        CacheErrorCode.LimitExceeded => !IsTooLarge(error),
        _ => false,
    };

    internal static bool IsTooLarge(CacheError error) =>
        error is { Code: CacheErrorCode.LimitExceeded, Cause: "request_size_limit_exceeded" or "item_size_limit_exceeded" };

    private void Tell(CacheError error)
    {
        if (failures.TryPass(_logger, out long calls))
        {
            Log.FailedOpen(_logger, calls, error.Code, error.Reason, error.Operation, error.Attempts);
        }
    }
}
