namespace Larder.Server.Pipeline;

/// <summary>The limits of a pipeline.</summary>
internal static class PipelineLimits
{
    /// <summary>The target size of a message with results, in bytes. In measurements, larger messages had no advantage.</summary>
    public const int MessageBytes = 64 * 1024;

    /// <summary>
    /// The maximum size of a value in the result of a get. For a larger value, the result is "use unary", because the value would delay the results behind it.
    /// </summary>
    public const int MaxValueBytes = 64 * 1024;

    /// <summary>
    /// The maximum size of a value in the result of a get-with-hash, and of all encoded results of a batch together. If the size is larger, the result is "use
    /// unary".
    /// </summary>
    public const int MaxAnswerBytes = 64 * 1024;

    /// <summary>
    /// The size above which a message counts as long work. It then runs on another thread, because the reading thread also serves other streams. A client's
    /// full message plus one more value takes 128 KB plus the size of a key, which is below this limit.
    /// </summary>
    public const int LongMessageBytes = 192 * 1024;

    /// <summary>
    /// The maximum number of bytes of results that the connection has not yet accepted. If it is reached, the stream stops reading. Without this limit, 1 MB of
    /// small gets produced 2 GB of results.
    /// </summary>
    public const int MaxPendingBytes = 256 * 1024;

    /// <summary>The maximum size of a received message. If a message is larger, the stream fails with RESOURCE_EXHAUSTED.</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>The maximum number of calls that fault injection delays. If it is reached, the stream stops reading until a call has completed.</summary>
    public const int MaxDeferredCalls = 1_024;

    /// <summary>
    /// The maximum number of calls of one stream that run on a worker or wait for one. If it is reached, the stream stops reading until a call has ended. Up to
    /// <see cref="Larder.Wire.WorkScheduler.MaxStartedPerShare"/> (4) of the calls run concurrently. The others are queued, so that the next call can start
    /// immediately.
    /// </summary>
    public const int MaxDeferred = 64;

    /// <summary>
    /// The maximum total size of the requests of the calls that <see cref="MaxDeferred"/> limits. It is about 1/5 of the maximum message size. If it is
    /// reached, the stream stops reading.
    /// </summary>
    public const int MaxDeferredBytes = 2 * 1024 * 1024;

    /// <summary>The time after which a stream is aborted if its client accepts no results.</summary>
    public static readonly TimeSpan SlowReaderGrace = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The time for which a client may continue to send after it has received "draining". After that, the stream ends. Operations without a result were not
    /// executed.
    /// </summary>
    public static readonly TimeSpan DrainGrace = TimeSpan.FromSeconds(3);
}
