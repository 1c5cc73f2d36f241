namespace Larder.Server.Pipeline;

/// <summary>The bounds of one pipeline, and what happens at each.</summary>
internal static class PipelineLimits
{
    /// <summary>Answers are gathered into one message of about this size, in bytes; the study found no gain past it.</summary>
    public const int MessageBytes = 64 * 1024;

    /// <summary>A get whose value is larger is answered "use unary", so that it does not delay the answers behind it.</summary>
    public const int MaxValueBytes = 64 * 1024;

    /// <summary>A get-with-hash whose value is larger, or a batch whose answers are larger together, as encoded, is answered "use unary".</summary>
    public const int MaxAnswerBytes = 64 * 1024;

    /// <summary>
    /// A message that is larger is long work: it is run off the thread that reads for other streams. A client's full message and one value are 128 KB and a
    /// key.
    /// </summary>
    public const int LongMessageBytes = 192 * 1024;

    /// <summary>
    /// Answers written but not yet taken by the connection; past it reading stops until they are. Without it 1 MB of small gets built 2 GB of answers.
    /// </summary>
    public const int MaxPendingBytes = 256 * 1024;

    /// <summary>The largest message received; a larger one fails the stream with RESOURCE_EXHAUSTED.</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>Calls held back by fault injection; past it reading stops until one is answered.</summary>
    public const int MaxHeldBack = 1_024;

    /// <summary>
    /// Calls of one stream that wait for a worker or are run by one; at the bound the stream is not read until one has ended. Four run at once
    /// (<see cref="Larder.Wire.WorkScheduler.MaxStartedPerShare"/>); the others make sure that the next is there when one ends.
    /// </summary>
    public const int MaxDeferred = 64;

    /// <summary>Bytes of requests that these calls hold, past which the stream is not read either: a fifth of the largest message.</summary>
    public const int MaxDeferredBytes = 2 * 1024 * 1024;

    /// <summary>How long a client may take nothing of what was answered; then its stream is ended.</summary>
    public static readonly TimeSpan SlowReaderGrace = TimeSpan.FromSeconds(30);

    /// <summary>How long after "draining" a client may still send; then the stream is ended, and what was not answered was not executed.</summary>
    public static readonly TimeSpan DrainGrace = TimeSpan.FromSeconds(3);
}
