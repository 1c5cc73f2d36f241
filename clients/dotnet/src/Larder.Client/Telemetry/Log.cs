using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>The log messages of the client. They never contain keys, values or tokens.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Warning, "Could not connect to {Endpoint}: {Code}: {Reason} Attempts so far: {Attempts}; the next in {WaitMs:F0} ms.")]
    public static partial void ConnectFailed(
        ILogger logger,
        string endpoint,
        Larder.Wire.StatusCode code,
        string reason,
        int attempts,
        double waitMs);

    [LoggerMessage(2, LogLevel.Debug, "A connection did not close cleanly.")]
    public static partial void CloseFailed(ILogger logger, Exception exception);

    [LoggerMessage(3, LogLevel.Debug, "{Operation} (cache {Cache}) is sent again in {WaitMs:F1} ms after {Code}: {Reason} Attempts so far: {Attempts}.")]
    public static partial void Retrying(
        ILogger logger,
        string operation,
        string cache,
        double waitMs,
        Larder.Wire.StatusCode code,
        string reason,
        int attempts);

    [LoggerMessage(4, LogLevel.Warning, "{Endpoint} does not speak the pipeline: calls are unary.")]
    public static partial void FallingBackToUnary(ILogger logger, string endpoint);

    [LoggerMessage(5, LogLevel.Warning, "The pipeline's stream to {Endpoint} ended with {Calls} calls on it: {Reason}")]
    public static partial void StreamBroken(ILogger logger, string endpoint, int calls, string reason);

    [LoggerMessage(6, LogLevel.Debug, "The pipeline's stream to {Endpoint} is open.")]
    public static partial void StreamOpened(ILogger logger, string endpoint);

    [LoggerMessage(7, LogLevel.Information, "Calls go to a new stream to {Endpoint}: {Reason}.")]
    public static partial void StreamRetired(ILogger logger, string endpoint, string reason);

    [LoggerMessage(
        8,
        LogLevel.Warning,
        "The cache {Cache} failed with {Code}: the value was created and not stored. Calls that failed since the last such line: {Calls}. {Reason}")]
    public static partial void NotCached(ILogger logger, string cache, CacheErrorCode code, long calls, string reason);

    [LoggerMessage(20, LogLevel.Warning, "A factory of the cache {Cache} failed; its expired value is served.")]
    public static partial void ServedStale(ILogger logger, Exception exception, string cache);

    [LoggerMessage(21, LogLevel.Warning, "A factory of the cache {Cache} failed that was to make a value anew in the background.")]
    public static partial void NotRefreshed(ILogger logger, Exception exception, string cache);

    [LoggerMessage(22, LogLevel.Debug, "A value of the cache {Cache} is not made anew: {Most} are being made in the background already.")]
    public static partial void RefreshPutOff(ILogger logger, string cache, int most);

    [LoggerMessage(23, LogLevel.Information, "A factory of the cache {Cache} takes longer than its soft timeout; its expired value is served.")]
    public static partial void NotAwaited(ILogger logger, string cache);

    [LoggerMessage(9, LogLevel.Error, "The client failed in serving a call: a fault of its own.")]
    public static partial void Fault(ILogger logger, Exception exception);

    [LoggerMessage(10, LogLevel.Debug, "The cap on requests in flight goes from {From} to {To}: {Over} of {Calls} calls took longer than {TargetMs} ms.")]
    public static partial void CapChanged(ILogger logger, int from, int to, int over, int calls, double targetMs);

    [LoggerMessage(
        11,
        LogLevel.Warning,
        "p99.9 within {TargetMs} ms is out of reach: fewer requests in flight do not help. The cap is {Limit}; a call takes {MeanMs:F1} ms on average.")]
    public static partial void TargetOutOfReach(ILogger logger, double targetMs, int limit, double meanMs);

    [LoggerMessage(12, LogLevel.Information, "p99.9 within {TargetMs} ms is in reach again.")]
    public static partial void TargetInReach(ILogger logger, double targetMs);

    [LoggerMessage(13, LogLevel.Warning, "{Gateway} is left out, as it cannot be connected: {Reason} It is tried again in the background.")]
    public static partial void GatewayLeftOut(ILogger logger, string gateway, string reason);

    [LoggerMessage(14, LogLevel.Information, "{Gateway} is up: it gets its part of the calls.")]
    public static partial void GatewayUp(ILogger logger, string gateway);

    [LoggerMessage(15, LogLevel.Information, "There are {Count} gateways now: {Gateways}.")]
    public static partial void GatewaysChanged(ILogger logger, int count, string gateways);

    [LoggerMessage(17, LogLevel.Debug, "A subscription lost its stream with {Code} ({Reason}); it asks again in {WaitMs:F1} ms.")]
    public static partial void SubscriptionLost(ILogger logger, Larder.Wire.StatusCode code, string reason, double waitMs);

    [LoggerMessage(18, LogLevel.Warning, "There is no near cache for now: {Reason}. Gets are calls.")]
    public static partial void NearUnavailable(ILogger logger, string reason);

    [LoggerMessage(
        19,
        LogLevel.Warning,
        "The cache fails: since the last such line {Calls} calls were taken as misses or dropped. "
        + "The latest: {Code}: {Reason} ({Operation}, sent {Attempts} times)")]
    public static partial void FailedOpen(ILogger logger, long calls, CacheErrorCode code, string reason, string operation, int attempts);

    [LoggerMessage(
        24,
        LogLevel.Warning,
        "A TTL of {Asked} exceeds the server's maximum: the entry is stored for {Stored}. Such entries since the last such line: {Entries}. "
        + "To keep entries longer, start the server with a larger --max-ttl.")]
    public static partial void TtlCapped(ILogger logger, TimeSpan asked, TimeSpan stored, long entries);

    [LoggerMessage(
        25,
        LogLevel.Warning,
        "A sliding entry was read but not extended: {Code}: {Reason} ({Operation}) It expires earlier than asked. "
        + "Such reads since the last such line: {Reads}.")]
    public static partial void NotExtended(ILogger logger, CacheErrorCode code, string reason, string operation, long reads);

    [LoggerMessage(30, LogLevel.Debug, "Connected to {Endpoint}.")]
    public static partial void Connected(ILogger logger, string endpoint);

    [LoggerMessage(31, LogLevel.Information, "Connected to {Endpoint} again, after {Attempts} attempts that failed.")]
    public static partial void Reconnected(ILogger logger, string endpoint, int attempts);

    [LoggerMessage(32, LogLevel.Information, "A connection to {Endpoint} broke with {Calls} calls on it; another is made.")]
    public static partial void ConnectionLost(ILogger logger, string endpoint, int calls);

    [LoggerMessage(33, LogLevel.Debug, "{Operation} (cache {Cache}) failed with {Code} after {Attempts} attempts: {Reason}")]
    public static partial void CallFailed(ILogger logger, string operation, string cache, CacheErrorCode code, int attempts, string reason);

    [LoggerMessage(16, LogLevel.Debug, "The name {Host} could not be resolved: {Reason}")]
    public static partial void NotResolved(ILogger logger, string host, string reason);
}
