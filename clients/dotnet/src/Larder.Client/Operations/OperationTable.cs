// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client.Operations;

/// <summary>What every call of each operation has in common.</summary>
internal static class OperationTable
{
    /// <summary>How many there are: one more than the last's <see cref="OperationInfo.Index"/>.</summary>
    public const int Count = 19;

    public static OperationInfo Get { get; } = new(0, "get", "/cache_client.Scs/Get", pipelineField: 4, isIdempotent: true);
    public static OperationInfo Set { get; } = new(1, "set", "/cache_client.Scs/Set", pipelineField: 5, isIdempotent: true);
    public static OperationInfo Delete { get; } = new(2, "delete", "/cache_client.Scs/Delete", pipelineField: 6, isIdempotent: true);
    public static OperationInfo Increment { get; } = new(3, "increment", "/cache_client.Scs/Increment", pipelineField: 9, isIdempotent: false);
    public static OperationInfo ItemGetTtl { get; } = new(4, "itemGetTtl", "/cache_client.Scs/ItemGetTtl", pipelineField: 12, isIdempotent: true);
    public static OperationInfo ItemGetType { get; } = new(5, "itemGetType", "/cache_client.Scs/ItemGetType", pipelineField: 18, isIdempotent: true);
    public static OperationInfo GetWithHash { get; } = new(6, "getWithHash", "/cache_client.Scs/GetWithHash", pipelineField: 16, isIdempotent: true);
    public static OperationInfo UpdateTtl { get; } = new(7, "updateTtl", "/cache_client.Scs/UpdateTtl", pipelineField: 11, isIdempotent: false);
    public static OperationInfo SetIf { get; } = new(8, "setIf", "/cache_client.Scs/SetIf", pipelineField: 10, isIdempotent: false);
    public static OperationInfo SetIfHash { get; } = new(9, "setIfHash", "/cache_client.Scs/SetIfHash", pipelineField: 17, isIdempotent: false);
    public static OperationInfo KeysExist { get; } = new(10, "keysExist", "/cache_client.Scs/KeysExist", pipelineField: 8, isIdempotent: true);
    public static OperationInfo KeyExists { get; } = new(11, "keyExists", "/cache_client.Scs/KeysExist", pipelineField: 8, isIdempotent: true);
    public static OperationInfo GetBatch { get; } = new(12, "getBatch", "/cache_client.Scs/GetBatch", pipelineField: 14, isIdempotent: true);
    public static OperationInfo SetBatch { get; } = new(13, "setBatch", "/cache_client.Scs/SetBatch", pipelineField: 15, isIdempotent: true);
    public static OperationInfo CreateCache { get; } = new(14, "createCache", "/control_client.ScsControl/CreateCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo DeleteCache { get; } = new(15, "deleteCache", "/control_client.ScsControl/DeleteCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo FlushCache { get; } = new(16, "flushCache", "/control_client.ScsControl/FlushCache", pipelineField: 0, isIdempotent: false);
    public static OperationInfo ListCaches { get; } = new(17, "listCaches", "/control_client.ScsControl/ListCaches", pipelineField: 0, isIdempotent: true);
    public static OperationInfo Ping { get; } = new(18, "ping", "/cache_client.Ping/Ping", pipelineField: 0, isIdempotent: true);
}
