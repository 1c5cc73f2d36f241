namespace Larder.Client.Operations;

/// <summary>What every call of one operation has in common. They are all in <see cref="OperationTable"/>.</summary>
internal sealed class OperationInfo(int index, string name, string path, int pipelineField, bool isIdempotent)
{
    /// <summary>Its place among all operations, from 0: for tables with a row for each.</summary>
    public int Index { get; } = index;

    /// <summary>The name in errors, spans and metrics: <c>get</c>, <c>setIf</c>.</summary>
    public string Name { get; } = name;

    /// <summary>The unary call's path: <c>/package.Service/Rpc</c>.</summary>
    public string Path { get; } = path;

    /// <summary>The field of <c>Operation.call</c> and of <c>Result.outcome</c> in <c>pipeline.proto</c>; 0 where the call is unary only.</summary>
    public int PipelineField { get; } = pipelineField;

    /// <summary>True where a call that may have run may be sent again (RETRY-1).</summary>
    public bool IsIdempotent { get; } = isIdempotent;

    /// <summary>True where the call names a cache in its <c>cache</c> metadata: those that a pipeline takes, and the extras.</summary>
    public bool IsScopedToCache { get; } = pipelineField != 0 || path.StartsWith("/larder.v1.Extras/", StringComparison.Ordinal);
}
