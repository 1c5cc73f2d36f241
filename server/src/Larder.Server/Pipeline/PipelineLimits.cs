namespace Larder.Server.Pipeline;

/// <summary>The limits of a pipeline.</summary>
internal static class PipelineLimits
{
    /// <summary>The target size of a message of results, in bytes. A study found no gain from larger messages.</summary>
    public const int MessageBytes = 64 * 1024;

    /// <summary>
    /// The maximum size of a value in a get result. For a larger value, the result is "use unary", so that it does not delay the results behind it.
    /// </summary>
    public const int MaxValueBytes = 64 * 1024;

    /// <summary>The maximum size of a get-with-hash value, or of all encoded results of a batch. Beyond that, the result is "use unary".</summary>
    public const int MaxAnswerBytes = 64 * 1024;

    /// <summary>
    /// A message larger than this counts as long work and runs on another thread, because the reading thread also serves other streams. A client's
    /// full message plus one value is 128 KB and a key.
    /// </summary>
    public const int LongMessageBytes = 192 * 1024;

    /// <summary>
    /// The maximum number of bytes of results that the connection has not yet accepted. Beyond that, the stream stops reading. Without this limit, 1
    /// MB of small gets produced 2 GB of results.
    /// </summary>
    public const int MaxPendingBytes = 256 * 1024;

    /// <summary>The maximum size of a received message. A larger one fails the stream with RESOURCE_EXHAUSTED.</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>The maximum number of calls delayed by fault injection. At the limit, the stream stops reading until one is completed.</summary>
    public const int MaxDeferredCalls = 1_024;

    /// <summary>
    /// The maximum number of calls of one stream that run on a worker or wait for one. At the limit, the stream stops reading until one has ended.
    /// Four run at once (<see cref="Larder.Wire.WorkScheduler.MaxStartedPerShare"/>); the others are queued so that the next can start immediately.
    /// </summary>
    public const int MaxDeferred = 64;

    /// <summary>
    /// The maximum size of the requests of these calls together, about 1/5 of the largest message. At the limit, the stream stops reading.
    /// </summary>
    public const int MaxDeferredBytes = 2 * 1024 * 1024;

    /// <summary>How long a client may accept no results before its stream is aborted.</summary>
    public static readonly TimeSpan SlowReaderGrace = TimeSpan.FromSeconds(30);

    /// <summary>How long a client may continue to send after "draining". Then the stream ends; operations without a result were not executed.</summary>
    public static readonly TimeSpan DrainGrace = TimeSpan.FromSeconds(3);
}
