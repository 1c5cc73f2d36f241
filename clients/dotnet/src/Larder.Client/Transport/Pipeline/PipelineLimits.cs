namespace Larder.Client.Pipeline;

/// <summary>The pipeline's sizes (spec/pipeline.md).</summary>
internal static class PipelineLimits
{
    public const string Path = "/larder.v1.Pipeline/Run";

    /// <summary>A message ends once it holds this much (PIPE-8).</summary>
    public const int MessageBytes = 65_536;

    /// <summary>A request with more than this travels as a unary call (PIPE-10).</summary>
    public const int RequestBytes = 65_536;

    /// <summary>The largest message accepted (PIPE-8).</summary>
    public const int MaxReceiveBytes = 11_010_048;

    /// <summary>Ids in use on a stream for each call of the cap, abandoned ones included (PIPE-16).</summary>
    public const int IdsPerCall = 4;

    /// <summary>Ids of a client without a cap: a stream beyond that is replaced.</summary>
    public const int IdsWithoutCap = 65_536;

    public static int IdsFor(int cap) => cap >= IdsWithoutCap / IdsPerCall ? IdsWithoutCap : cap * IdsPerCall;
}
