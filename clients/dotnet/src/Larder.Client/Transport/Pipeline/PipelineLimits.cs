namespace Larder.Client.Pipeline;

/// <summary>The limits of the pipeline (spec/pipeline.md).</summary>
internal static class PipelineLimits
{
    public const string Path = "/larder.v1.Pipeline/Run";

    /// <summary>The size in bytes at which a message ends (PIPE-8). The operation that reaches or exceeds this size is the last one in the message.</summary>
    public const int MessageBytes = 65_536;

    /// <summary>The maximum size in bytes of a request in the pipeline. A larger request is sent as a unary call (PIPE-10).</summary>
    public const int RequestBytes = 65_536;

    /// <summary>The maximum size of a received message in bytes (PIPE-8).</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>
    /// The number of ids that a stream has for each call that the concurrency limit permits (PIPE-16). It is greater than 1 because abandoned calls also use
    /// ids.
    /// </summary>
    public const int IdsPerCall = 4;

    /// <summary>The number of ids of a stream if there is no concurrency limit. A stream that needs more ids is replaced.</summary>
    public const int IdsWithoutCap = 65_536;

    public static int IdsFor(int cap) => cap >= IdsWithoutCap / IdsPerCall ? IdsWithoutCap : cap * IdsPerCall;
}
