using Microsoft.Extensions.Logging;

namespace Larder.Client;

/// <summary>The log messages of the client. They never contain keys, values or tokens.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Warning, "Cannot connect to {Endpoint}; retrying in {WaitMs:F0} ms. Failed attempts: {Attempts}. {Code}: {Reason}")]
    public static partial void ConnectFailed(
        ILogger logger,
        string endpoint,
        Larder.Wire.StatusCode code,
        string reason,
        int attempts,
        double waitMs);

    [LoggerMessage(2, LogLevel.Debug, "A connection did not close cleanly.")]
    public static partial void CloseFailed(ILogger logger, Exception exception);

    [LoggerMessage(3, LogLevel.Debug, "{Operation} (cache {Cache}) failed; retrying in {WaitMs:F1} ms. Attempts: {Attempts}. {Code}: {Reason}")]
    public static partial void Retrying(
        ILogger logger,
        string operation,
        string cache,
        double waitMs,
        Larder.Wire.StatusCode code,
        string reason,
        int attempts);

    [LoggerMessage(4, LogLevel.Warning, "{Endpoint} does not support the pipeline; using unary calls.")]
    public static partial void FallingBackToUnary(ILogger logger, string endpoint);

    [LoggerMessage(5, LogLevel.Warning, "The pipeline stream to {Endpoint} ended with {Calls} calls in flight: {Reason}")]
    public static partial void StreamBroken(ILogger logger, string endpoint, int calls, string reason);

    [LoggerMessage(6, LogLevel.Debug, "Opened a pipeline stream to {Endpoint}.")]
    public static partial void StreamOpened(ILogger logger, string endpoint);

    [LoggerMessage(7, LogLevel.Information, "Switching to a new stream to {Endpoint}: {Reason}.")]
    public static partial void StreamRetired(ILogger logger, string endpoint, string reason);

    [LoggerMessage(
        8,
        LogLevel.Warning,
        "A value of the cache {Cache} was loaded but not stored, because a call failed. Failed calls since the last such message: {Calls}. {Code}: {Reason}")]
    public static partial void NotCached(ILogger logger, string cache, CacheErrorCode code, long calls, string reason);

    [LoggerMessage(20, LogLevel.Warning, "A factory of the cache {Cache} failed; serving the expired value.")]
    public static partial void ServedStale(ILogger logger, Exception exception, string cache);

    [LoggerMessage(21, LogLevel.Warning, "A background refresh in the cache {Cache} failed.")]
    public static partial void NotRefreshed(ILogger logger, Exception exception, string cache);

    [LoggerMessage(
        22,
        LogLevel.Debug,
        "A background load in the cache {Cache} was skipped or cancelled; the maximum of {Most} background loads is already running.")]
    public static partial void RefreshPutOff(ILogger logger, string cache, int most);

    [LoggerMessage(23, LogLevel.Information, "A factory of the cache {Cache} exceeded its soft timeout; serving the expired value.")]
    public static partial void NotAwaited(ILogger logger, string cache);

    [LoggerMessage(9, LogLevel.Error, "Internal client error.")]
    public static partial void Fault(ILogger logger, Exception exception);

    [LoggerMessage(10, LogLevel.Debug, "The concurrency limit changed from {From} to {To}: {Over} of {Calls} calls took longer than {TargetMs} ms.")]
    public static partial void CapChanged(ILogger logger, int from, int to, int over, int calls, double targetMs);

    [LoggerMessage(
        11,
        LogLevel.Warning,
        "The latency target of {TargetMs} ms at p99.9 cannot be met, even with a lower concurrency limit. The limit is {Limit}; "
            + "a call takes {MeanMs:F1} ms on average.")]
    public static partial void TargetOutOfReach(ILogger logger, double targetMs, int limit, double meanMs);

    [LoggerMessage(12, LogLevel.Information, "The latency target of {TargetMs} ms at p99.9 can be met again.")]
    public static partial void TargetInReach(ILogger logger, double targetMs);

    [LoggerMessage(13, LogLevel.Warning, "Removed {Gateway} from rotation; retrying in the background. Cannot connect: {Reason}")]
    public static partial void GatewayLeftOut(ILogger logger, string gateway, string reason);

    [LoggerMessage(14, LogLevel.Information, "Added {Gateway} to rotation, because it is connected.")]
    public static partial void GatewayUp(ILogger logger, string gateway);

    [LoggerMessage(15, LogLevel.Information, "The gateways changed; there are now {Count}: {Gateways}.")]
    public static partial void GatewaysChanged(ILogger logger, int count, string gateways);

    [LoggerMessage(17, LogLevel.Debug, "A subscription lost its stream with {Code} ({Reason}); resuming in {WaitMs:F1} ms.")]
    public static partial void SubscriptionLost(ILogger logger, Larder.Wire.StatusCode code, string reason, double waitMs);

    [LoggerMessage(18, LogLevel.Warning, "The near cache is unavailable: {Reason}. Gets go to the server.")]
    public static partial void NearUnavailable(ILogger logger, string reason);

    [LoggerMessage(
        19,
        LogLevel.Warning,
        "Failed calls since the last such message: {Calls}. They were treated as misses or ignored. "
        + "Latest call: {Operation} (attempts: {Attempts}), which failed with {Code}: {Reason}")]
    public static partial void FailedOpen(ILogger logger, long calls, CacheErrorCode code, string reason, string operation, int attempts);

    [LoggerMessage(
        24,
        LogLevel.Warning,
        "A TTL of {Asked} exceeds the server's maximum; the entry is stored for {Stored}. Entries with a shortened TTL since the last such message: {Entries}. "
        + "To keep entries longer, start the server with a larger --max-ttl.")]
    public static partial void TtlCapped(ILogger logger, TimeSpan asked, TimeSpan stored, long entries);

    [LoggerMessage(
        25,
        LogLevel.Warning,
        "The expiry of a sliding entry could not be extended after a read, so the entry expires earlier than requested. "
        + "Failed extensions since the last such message: {Reads}. The latest: {Operation} failed with {Code}: {Reason}")]
    public static partial void NotExtended(ILogger logger, CacheErrorCode code, string reason, string operation, long reads);

    [LoggerMessage(
        26,
        LogLevel.Warning,
        "An entry of the HybridCache was not stored: {Reason} Entries that were not stored since the last such message: {Entries}.")]
    public static partial void HybridEntryNotStored(ILogger logger, string reason, long entries);

    [LoggerMessage(
        27,
        LogLevel.Warning,
        "The client of the HybridCache has no near cache, so every read is a call to the server. Set NearCacheBytes, or a transport other than Unary.")]
    public static partial void HybridWithoutNearCache(ILogger logger);

    [LoggerMessage(28, LogLevel.Debug, "Opened an additional pipeline stream to {Endpoint}. Open streams: {Streams}.")]
    public static partial void AdditionalStreamOpened(ILogger logger, string endpoint, int streams);

    [LoggerMessage(
        29,
        LogLevel.Information,
        "Cannot open an additional stream to {Endpoint}; calls continue on the open streams; next attempt after {WaitS:F0} s. {Code}: {Reason}")]
    public static partial void AdditionalStreamFailed(ILogger logger, string endpoint, Larder.Wire.StatusCode code, string reason, double waitS);

    [LoggerMessage(34, LogLevel.Debug, "Closing a pipeline stream to {Endpoint}, because the load needs fewer streams.")]
    public static partial void AdditionalStreamClosed(ILogger logger, string endpoint);

    [LoggerMessage(30, LogLevel.Debug, "Connected to {Endpoint}.")]
    public static partial void Connected(ILogger logger, string endpoint);

    [LoggerMessage(31, LogLevel.Information, "Reconnected to {Endpoint} after {Attempts} failed attempts.")]
    public static partial void Reconnected(ILogger logger, string endpoint, int attempts);

    [LoggerMessage(32, LogLevel.Information, "Lost a connection to {Endpoint} with {Calls} calls in flight; reconnecting.")]
    public static partial void ConnectionLost(ILogger logger, string endpoint, int calls);

    [LoggerMessage(33, LogLevel.Debug, "{Operation} (cache {Cache}) failed with {Code} (attempts: {Attempts}): {Reason}")]
    public static partial void CallFailed(ILogger logger, string operation, string cache, CacheErrorCode code, int attempts, string reason);

    [LoggerMessage(16, LogLevel.Debug, "Cannot resolve the name {Host}: {Reason}")]
    public static partial void NotResolved(ILogger logger, string host, string reason);

    [LoggerMessage(
        35,
        LogLevel.Warning,
        "Cannot subscribe to the backplane's topic {Topic} of the cache {Cache}; retrying in {WaitS:F1} s. Until then, this process does not see the changes "
        + "of other processes. {Code}: {Reason}")]
    public static partial void BackplaneNotSubscribed(ILogger logger, string topic, string cache, CacheErrorCode code, string reason, double waitS);

    [LoggerMessage(
        36,
        LogLevel.Warning,
        "Messages of the backplane's topic {Topic} may be missing, so all earlier entries have expired in this process.")]
    public static partial void BackplaneGap(ILogger logger, string topic);

    [LoggerMessage(
        37,
        LogLevel.Warning,
        "The backplane's topic {Topic} contains messages that are not from FusionCache. Messages ignored since the last such line: {Messages}.")]
    public static partial void BackplaneMessageInvalid(ILogger logger, string topic, long messages);

    [LoggerMessage(38, LogLevel.Error, "A handler of the backplane's topic {Topic} failed.")]
    public static partial void BackplaneHandlerFailed(ILogger logger, string topic, Exception exception);
}
