using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client;

/// <summary>What a cache that fails open makes of failures: which of them it bears, how many it bore, and a line in the log once in a while.</summary>
internal sealed class FailureTolerance(bool isOn, ILogger? logger, LogRateLimiter failures)
{
    private static readonly Meter Figures = new(Telemetry.Name);

    private static readonly Counter<long> Counted =
        Figures.CreateCounter<long>("cache.client.failed_open", "{call}", "Failed calls that were taken as a miss or dropped.");

    private readonly GuardedLogger _logger = new(logger ?? NullLogger.Instance);
    private long _borne;

    /// <summary>Failures borne so far.</summary>
    public long Borne => Interlocked.Read(ref _borne);

    /// <summary>Whether the caller is to go on as if the cache were empty: then it is counted. False: the failure is the caller's to know.</summary>
    public bool Bears(CacheError error)
    {
        if (!isOn || !IsBearable(error))
        {
            return false;
        }

        Interlocked.Increment(ref _borne);
        UserCode.Run(() => Counted.Add(1, new KeyValuePair<string, object?>("cache.operation", error.Operation)));
        Tell(error);
        return true;
    }

    /// <summary>
    /// True where the server or the way to it failed, false where the caller or the settings are wrong: those fail alike on a good day, and are to be seen on
    /// the first. So is a value that is too large.
    /// </summary>
    internal static bool IsBearable(CacheError error) => error.Code switch
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
