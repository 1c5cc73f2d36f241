namespace Larder.Client.Pipeline;

/// <summary>The pipeline's sizes (spec/pipeline.md).</summary>
internal static class PipelineLimits
{
    public const string Path = "/larder.v1.Pipeline/Run";

    /// <summary>A message ends when it reaches this size in bytes (PIPE-8).</summary>
    public const int MessageBytes = 65_536;

    /// <summary>A larger request is sent as a unary call (PIPE-10).</summary>
    public const int RequestBytes = 65_536;

    /// <summary>The maximum size of a received message in bytes (PIPE-8).</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>The number of ids of a stream per call of the concurrency limit; abandoned calls use ids too (PIPE-16).</summary>
    public const int IdsPerCall = 4;

    /// <summary>The number of ids without a concurrency limit. A stream that needs more is replaced.</summary>
    public const int IdsWithoutCap = 65_536;

    public static int IdsFor(int cap) => cap >= IdsWithoutCap / IdsPerCall ? IdsWithoutCap : cap * IdsPerCall;
}
