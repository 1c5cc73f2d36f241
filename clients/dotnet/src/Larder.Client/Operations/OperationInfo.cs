namespace Larder.Client.Operations;

/// <summary>What every call of one operation has in common.</summary>
internal sealed class OperationInfo
{
    private OperationInfo(string name, string path, int pipelineField, bool isIdempotent, bool isScopedToCache)
    {
        Name = name;
        Path = path;
        PipelineField = pipelineField;
        IsIdempotent = isIdempotent;
        IsScopedToCache = isScopedToCache;
    }

    /// <summary>The name in errors, spans and metrics: <c>get</c>, <c>setIf</c>.</summary>
    public string Name { get; }

    /// <summary>The unary call's path: <c>/package.Service/Rpc</c>.</summary>
    public string Path { get; }

    /// <summary>The field of <c>Operation.call</c> and of <c>Result.outcome</c> in <c>pipeline.proto</c>; 0 where the call is unary only.</summary>
    public int PipelineField { get; }

    /// <summary>True where a call that may have run may be sent again (RETRY-1).</summary>
    public bool IsIdempotent { get; }

    /// <summary>True where the call names a cache in its <c>cache</c> metadata.</summary>
    public bool IsScopedToCache { get; }

    public static OperationInfo Data(string name, string rpc, int pipelineField, bool isIdempotent) =>
        new(name, "/cache_client.Scs/" + rpc, pipelineField, isIdempotent, true);

    public static OperationInfo Control(string name, string rpc, bool isIdempotent) =>
        new(name, "/control_client.ScsControl/" + rpc, 0, isIdempotent, false);

    public static OperationInfo ForPing() => new("ping", "/cache_client.Ping/Ping", 0, true, false);
}
