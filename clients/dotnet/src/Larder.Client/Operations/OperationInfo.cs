namespace Larder.Client.Operations;

/// <summary>The properties that all calls of one operation share. All instances are in <see cref="OperationTable"/>.</summary>
internal sealed class OperationInfo(int index, string name, string path, int pipelineField, bool isIdempotent)
{
    /// <summary>Gets the operation's index among all operations, from 0. It is used for tables with one row per operation.</summary>
    public int Index { get; } = index;

    /// <summary>Gets the name in errors, spans and metrics, such as <c>get</c> or <c>setIf</c>.</summary>
    public string Name { get; } = name;

    /// <summary>Gets the unary call's path: <c>/package.Service/Rpc</c>.</summary>
    public string Path { get; } = path;

    /// <summary>
    /// Gets the field number in <c>Operation.call</c> and <c>Result.outcome</c> of <c>pipeline.proto</c>, or 0 if the pipeline does not support the operation.
    /// </summary>
    public int PipelineField { get; } = pipelineField;

    /// <summary>Gets whether a call may be retried even if the server may already have run it (RETRY-1).</summary>
    public bool IsIdempotent { get; } = isIdempotent;

    /// <summary>
    /// Gets whether the call names a cache in its <c>cache</c> metadata. True for calls that the pipeline supports and for calls of the Extras service.
    /// </summary>
    public bool IsScopedToCache { get; } = pipelineField != 0 || path.StartsWith("/larder.v1.Extras/", StringComparison.Ordinal);
}
